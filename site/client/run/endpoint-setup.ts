import type { DocsPlatform } from '../../../test/docs/docs-platform.js';
import type { PageSetup } from '../../../test/docs/page-setup.js';
import { preparedFor } from './prepared-platform.js';

/** The setup of the page of an endpoint. */
export const endpointSetup =
  (id: string) =>
  async (docs: DocsPlatform): Promise<PageSetup> => ({
    names: (await preparedFor(id, docs)).names,
  });
