import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import {
  CARD_STATUS,
  clientOf,
  MOCKED_URL,
  rejection,
  responseTo,
  startService,
  TX_HASH,
  WITHDRAW,
  withdraw,
} from './service.js';

/**
 * The tests of each version of nock.
 *
 * @param early - a client created before nock was imported
 * @param refusal - the outcome of a withdrawal when nock simulates a refused connection
 */
export function testNock(nock, { early, refusal }) {
  const clients = { 'made before nock': early, 'made after nock': clientOf(MOCKED_URL) };

  const refused = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });

  afterEach(() => {
    nock.abortPendingRequests();
    nock.cleanAll();
    nock.enableNetConnect();
  });

  for (const [when, client] of Object.entries(clients)) {
    describe(`a client ${when}`, () => {
      it('receives the reply of nock to a GET', async () => {
        const scope = nock(MOCKED_URL).get(CARD_STATUS).reply(200, responseTo(CARD_STATUS));
        assert.equal((await client.card.status()).status, 'ACTIVE');
        assert.ok(scope.isDone());
      });

      it('sends the headers and the body that nock matches, once', async () => {
        const scope = nock(MOCKED_URL, { reqheaders: { authorization: 'Bearer token' } })
          .post(WITHDRAW, { amount: '1' })
          .reply(200, responseTo(WITHDRAW));
        assert.deepEqual(await withdraw(client), { txHash: TX_HASH });
        assert.ok(scope.isDone());
      });

      it('reports an error status', async () => {
        nock(MOCKED_URL).post(WITHDRAW).reply(500, 'boom');
        const { outcome, status } = await rejection(withdraw(client));
        assert.deepEqual({ outcome, status }, { outcome: 'unknown', status: 500 });
      });
    });
  }

  describe('a withdrawal', () => {
    it('is not retried after replyWithError, and has the outcome unknown', async () => {
      const scope = nock(MOCKED_URL).post(WITHDRAW).times(2).replyWithError('boom');
      const { code, outcome } = await rejection(withdraw(clientOf(MOCKED_URL)));
      assert.deepEqual({ code, outcome }, { code: 'connection_failed', outcome: 'unknown' });
      assert.equal(scope.pendingMocks().length, 1);
    });

    it(`has the outcome ${refusal} when nock simulates a refused connection`, async () => {
      nock(MOCKED_URL).post(WITHDRAW).times(9).replyWithError(refused);
      assert.equal((await rejection(withdraw(clientOf(MOCKED_URL)))).outcome, refusal);
    });

    it('times out when nock delays the reply, and has the outcome unknown', async () => {
      nock(MOCKED_URL).post(WITHDRAW).delay(2_000).reply(200, responseTo(WITHDRAW));
      const error = await rejection(withdraw(clientOf(MOCKED_URL, { timeout: 100 })));
      assert.deepEqual([error.code, error.outcome], ['timeout', 'unknown']);
    });

    it('fails without being sent when no interceptor matches', async () => {
      nock(MOCKED_URL).post(WITHDRAW, { amount: '2' }).reply(200, responseTo(WITHDRAW));
      const { code, outcome } = await rejection(withdraw(clientOf(MOCKED_URL)));
      assert.deepEqual({ code, outcome }, { code: 'connection_failed', outcome: 'unknown' });
    });
  });

  describe('the real server', () => {
    let service;
    before(async () => {
      service = await startService();
    });
    after(() => service.stop());

    it('receives no request after nock.disableNetConnect', async () => {
      nock.disableNetConnect();
      const error = await rejection(withdraw(clientOf(service.baseUrl)));
      assert.equal(error.code, 'connection_failed');
      assert.deepEqual(service.takeRequests(), []);
    });

    it('receives requests over node:http again after nock.restore', async () => {
      nock.restore();
      await withdraw(clientOf(service.baseUrl));
      assert.deepEqual(service.takeRequests(), [`node-http ${WITHDRAW}`]);
      nock.activate();
    });
  });
}
