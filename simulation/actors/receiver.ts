import { verifyWebhook } from '../../src/index.js';
import type { MockDelivery } from '../../src/testing/state.js';
import type { Random } from '../engine/random.js';
import { WORLD } from '../engine/scheduler.js';
import { untilUsedFor } from '../world/day.js';
import { Machine, type Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { keepRunning } from './actor.js';
import { showValue } from './call.js';

const URL = 'https://hooks.example/main';
const MINUTE_MS = 60_000;
/** Deliveries are trusted for five minutes; clocks differ by four at most. */
const TOO_OLD_MS = 10 * MINUTE_MS;

type Delivery = { body: string; headers: Record<string, string>; sentAt: number; kind: Kind };
/** Whether a delivery is genuine, or was changed or replayed by somebody else. */
type Kind = 'genuine' | 'forged' | 'replayed';
type Receive = (delivery: Delivery) => Promise<Response>;

/** A receiver that handles each event once, and remembers the handled events on its disk. */
function receiverOf(world: World, process: Process, random: Random, keys: string[]): Receive {
  const { disk } = process.machine;
  const isBad = (probability: number) =>
    random.chance(probability * world.intensity) && world.faults.take('receiver');
  return async ({ body, headers, kind }) => {
    if (isBad(0.2)) return new Response(null, { status: 503 });
    const event = await verifyWebhook({ body, headers, keys, now: process.clock.now() }).catch(
      (error: unknown) => {
        if (process.isAlive) showValue(world, 'the error of a webhook', error);
        return undefined;
      },
    );
    if (!process.isAlive) return new Promise<Response>(() => {});
    if (event === undefined) {
      if (kind === 'genuine')
        world.happen({ kind: 'delivered', problem: 'a genuine delivery was refused' });
      return new Response(null, { status: 400 });
    }
    const { event_id: id } = JSON.parse(body) as { event_id?: string };
    const problem =
      kind === 'genuine' || (kind === 'replayed' && event.eventId === id)
        ? undefined
        : `a ${kind} delivery was accepted`;
    const isUnrecognisable = event.eventId !== id ? 'an event has another id' : undefined;
    const isOld = kind === 'replayed' ? 'an old delivery was accepted' : undefined;
    const found = problem ?? isUnrecognisable ?? isOld;
    if (found !== undefined) world.happen({ kind: 'delivered', problem: found });
    if (disk.get(`handled ${event.eventId}`) !== undefined) return new Response(null);
    await world.scheduler.sleep(random.between(0, 30), process);
    if (process.isAlive) disk.set(`handled ${event.eventId}`, 'yes');
    // The response may get lost although the event was handled: it is delivered again.
    if (isBad(0.2)) throw new TypeError('connection lost');
    return new Response(null, { status: 204 });
  };
}

/** An attacker who has seen a delivery and sends it again, changed or much later. */
function attack(
  world: World,
  random: Random,
  delivery: Delivery,
  receive: () => Receive | undefined,
) {
  if (world.isClosing) return;
  const send = (changed: Delivery, ms: number) => {
    world.scheduler.after(ms, WORLD, () => void receive()?.(changed).catch(() => undefined));
  };
  const { body, headers } = delivery;
  const flipped = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /signature/i.test(name) ? value.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : value,
    ]),
  );
  send({ ...delivery, kind: 'forged', body: body.replace('}', ',"x":1}') }, 500);
  send({ ...delivery, kind: 'forged', headers: flipped }, 900);
  const late = TOO_OLD_MS + random.between(0, 30) * MINUTE_MS;
  send({ ...delivery, kind: 'replayed' }, late);
}

function checkHandled(world: World, machine: Machine): string | undefined {
  const events = new Map<string, MockDelivery>();
  for (const one of world.mock.deliveries) if (one.url === URL) events.set(one.eventId, one);
  const lost = [...events.values()].find(
    ({ eventId, deliveryStatus }) =>
      !machine.disk.has(`handled ${eventId}`) && deliveryStatus !== 'failed',
  );
  return lost && `the event ${lost.eventId} (${lost.deliveryStatus}) was never handled`;
}

/** A receiver of webhooks, and the platform's events. */
export function startReceiver(world: World): void {
  const { mock, scheduler } = world;
  const random = world.random.fork('deliveries');
  const apiKey = 'whk_key_of_the_receiver';
  world.ledger.secrets.add(apiKey, 'webhook key');
  const iso = new Date(scheduler.now).toISOString();
  const webhook = {
    id: '00000000-0000-4000-a000-000000000001',
    tenant: 'mock-tenant',
    name: 'main',
  };
  const facts = { url: URL, apiKey, eventTypes: ['*'], isActive: true, metadata: {} };
  mock.state.webhooks.push({ ...webhook, ...facts, createdAt: iso, updatedAt: iso });
  const keys = [apiKey];
  const machine = new Machine('receiver');
  let receive: Receive | undefined;
  keepRunning(world, machine, 'receiver', (process, own) => {
    receive = receiverOf(world, process, own, keys);
    process.onEnd(() => {
      receive = undefined;
    });
  });
  world.deliver = async (_, { body, headers }) => {
    const delivery: Delivery = { body, headers, sentAt: world.now, kind: 'genuine' };
    await scheduler.sleep(random.between(5, 400), WORLD);
    if (random.chance(0.3)) attack(world, random, delivery, () => receive);
    if (receive === undefined) throw new TypeError('connect ECONNREFUSED');
    const lost = new Promise<never>((_, reject) => {
      scheduler.after(15_000, WORLD, () => reject(new TypeError('timeout')));
    });
    const response = await Promise.race([receive(delivery), lost]);
    world.note(`delivered ${response.status}`);
    return response;
  };
  world.atEnd.push(() => checkHandled(world, machine));
  const owner = mock.users.add({
    card: 'ACTIVE',
    wallets: [{ network: 'linea', currency: 'usdc', balance: '1000', isLinked: true }],
  });
  const clock = { ...WORLD, name: 'life' };
  const live = () => {
    if (world.isClosing) return;
    mock.cards.pay(owner, { amount: random.pick(['3.50', '0.01', '12']), merchant: 'Bakery' });
    const pause = random.between(1, 240) * MINUTE_MS;
    scheduler.after(untilUsedFor(world, pause), clock, live);
  };
  scheduler.after(MINUTE_MS, clock, live);
}
