import ky from 'ky';
import { z } from 'zod';
import { KEY } from '../contestants/request.mjs';
import { AMOUNT, PATHS, USER } from './steps.mjs';

const Session = z.object({
  accessToken: z.string(),
  userId: z.uuid(),
  isOtpRequired: z.boolean(),
  phase: z.string().nullish(),
  verificationState: z.enum(['UNVERIFIED', 'PENDING', 'VERIFIED', 'REJECTED']),
  isLinked: z.boolean(),
});
const Card = z.object({
  id: z.string(),
  holderName: z.string(),
  expiryDate: z.string(),
  panLast4: z.string(),
  status: z.enum(['ACTIVE', 'FROZEN', 'BLOCKED']),
  type: z.enum(['VIRTUAL', 'PHYSICAL', 'METAL']),
  orderedAt: z.iso.datetime(),
});
const Withdrawal = z.object({ txHash: z.string() });

/** What a partner writes who needs three calls: no outcome, no journal, no redaction. */
export function open(baseUrl) {
  let client = ky.create({ baseUrl, headers: { 'x-client-key': KEY } });
  return [
    async () => {
      const session = Session.parse(await client.post(PATHS.login, { json: USER }).json());
      client = client.extend({ headers: { authorization: `Bearer ${session.accessToken}` } });
    },
    async () => Card.parse(await client.get(PATHS.card).json()),
    async () =>
      Withdrawal.parse(await client.post(PATHS.withdraw, { json: AMOUNT, retry: 0 }).json()),
  ];
}
