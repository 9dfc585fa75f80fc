import { ChainError } from './chain-error.js';
import { invalid } from './check-values.js';
import type { DelegationCallOptions } from './client.js';

/** The options for reading the chain configuration of the service. */
type ConfigOptions = DelegationCallOptions & {
  region?: 'us' | undefined;
  client?: { delegation: ConfigClient } | undefined;
};

type ConfigClient = {
  chainConfig?(
    options?: DelegationCallOptions & { region?: 'us' | undefined },
  ): PromiseLike<unknown>;
};

/** Reads the chain configuration in the region of token and proof: spenders differ by region. */
export async function loadChainConfig(options: ConfigOptions): Promise<unknown> {
  const { client, signal, region } = options;
  if (client?.delegation.chainConfig === undefined) {
    return invalid('client', 'has no delegation.chainConfig');
  }
  return client.delegation.chainConfig({ signal, ...(region === undefined ? {} : { region }) });
}

/** The configuration lacks what the caller asked for, or contradicts the caller's own options. */
export function chainConfigUnusable(detail: string, options: string): ChainError {
  return new ChainError({
    code: 'chain_config_unusable',
    outcome: 'not_sent',
    message: `the service's chain configuration cannot be used (${detail}). Nothing was sent. Pass ${options} explicitly.`,
  });
}

/** The caller did not accept the spender that the configuration names. */
export function spenderNotConfirmed(option: string, role: string): ChainError {
  return new ChainError({
    code: 'spender_not_confirmed',
    outcome: 'not_sent',
    message: `${option} did not accept the ${role} of the service's chain configuration. Nothing was sent and the wallet was not asked.`,
  });
}
