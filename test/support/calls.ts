import type { CardPlatformClient } from '../../src/client.js';
import type { RequestOptions } from '../../src/transport/settings/options.js';
import { CONTRACT_ROWS, type ContractRow } from './contract-rows.js';

/** One call of an endpoint: how the client makes it, and the request that the service must get. */
export type SampleCall = ContractRow['call'] & {
  id: string;
  invoke: (client: CardPlatformClient, options?: RequestOptions) => PromiseLike<unknown>;
};

type Method = (...args: unknown[]) => PromiseLike<unknown>;

/** Calls the method at a path such as `wallets.credit.withdraw` of a client. */
export function callMethod(
  client: object,
  path: string,
  args: readonly unknown[],
): PromiseLike<unknown> {
  const names = path.split('.');
  const name = names.pop() ?? '';
  const resource = names.reduce<object>((holder, part) => Reflect.get(holder, part), client);
  const method: Method | undefined = Reflect.get(resource, name);
  if (method === undefined) throw new Error(`the client has no method ${path}`);
  return method.apply(resource, [...args]);
}

function sampleCallOf({ id, sdk, call }: ContractRow): SampleCall {
  const given = call.input === undefined ? [] : [call.input];
  return { ...call, id, invoke: (client, options) => callMethod(client, sdk, [...given, options]) };
}

/** One call of every endpoint, from its row in test/fixtures/endpoints.json. */
export const SAMPLE_CALLS: readonly SampleCall[] = CONTRACT_ROWS.map(sampleCallOf);

/** The sample call of an endpoint. */
export function sampleCall(id: string): SampleCall {
  const call = SAMPLE_CALLS.find((one) => one.id === id);
  if (call === undefined) throw new Error(`there is no sample call for ${id}`);
  return call;
}
