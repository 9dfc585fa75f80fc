import { inspect } from 'node:util';

// Runs one client library in a process of its own: makes calls one after another and reports the
// result of each. It ends with its parent.
const { connect, isTyped } = await import(`./clients/${process.argv[2]}.mjs`);

/**
 * Leaves time for errors that a library throws late, which end the process and count as a crash.
 */
const AFTERMATH_MS = 30;

function stringify(error) {
  try {
    return JSON.stringify(error) ?? '';
  } catch {
    return '';
  }
}

/** Returns everything that a log could contain of an error. */
function textOf(error) {
  const { message = '', stack = '' } = error ?? {};
  return [message, stack, String(error), inspect(error, { depth: 10 }), stringify(error)].join(
    '\n',
  );
}

async function endOf({ call, ...target }) {
  try {
    await connect(target)[call]();
    return { kind: 'resolved' };
  } catch (error) {
    const text = textOf(error);
    const leaked = Object.keys(target.secrets).filter((name) =>
      text.includes(target.secrets[name]),
    );
    const name = error?.constructor?.name ?? typeof error;
    return { kind: 'rejected', name, isTyped: isTyped(error), outcome: error?.outcome, leaked };
  }
}

process.on('disconnect', () => process.exit());
process.on('message', async (task) => {
  const end = await endOf(task);
  await new Promise((resolve) => setTimeout(resolve, AFTERMATH_MS));
  process.send(end);
});
process.send({ kind: 'ready' });
