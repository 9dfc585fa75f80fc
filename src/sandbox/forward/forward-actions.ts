import { type ControlAction, textOf } from '../control/control-action.js';
import { complete, type Schema } from '../control/schema.js';
import { forwardEvents, stopForwarding } from './forwarded-webhook.js';

const ID: Schema = { type: 'string', description: 'Chosen by the receiver.' };
const EXAMPLE_ID = '6d2f3c1a-58a4-4c0e-9a53-2f1b7a0c9e11';

/** Actions by which the command `forward` connects to the sandbox. */
export const forwardActions: Readonly<Record<string, ControlAction>> = {
  forward: {
    summary: 'Sends every event to a receiver on this machine as well, signed with its key',
    input: complete({
      id: ID,
      to: { type: 'string', description: 'An http URL on this machine.' },
      key: { type: 'string', description: 'The signing key.' },
    }),
    example: { id: EXAMPLE_ID, to: 'http://127.0.0.1:3000/hooks', key: 'whk_test' },
    run: ({ platform }, input) =>
      forwardEvents(platform, {
        id: textOf(input, 'id'),
        to: textOf(input, 'to'),
        key: textOf(input, 'key'),
      }),
  },
  stopForwarding: {
    summary: 'Stops sending events to the receiver that forward added',
    input: complete({ id: ID }),
    example: { id: EXAMPLE_ID },
    run: ({ platform }, input) => stopForwarding(platform, textOf(input, 'id')),
  },
};
