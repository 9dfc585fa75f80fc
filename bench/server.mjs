// A service in a process of its own, so that its work does not count as the client's.
import { createServer } from 'node:http';

const card = JSON.stringify({
  id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e',
  holderName: 'ADA LOVELACE',
  expiryDate: '2030/01',
  panLast4: '4242',
  status: 'ACTIVE',
  type: 'VIRTUAL',
  orderedAt: '2026-01-01T00:00:00.000Z',
});
const created = JSON.stringify({
  token: '5b1f2c3d-6f3c-4d59-9d3e-0f6a5c1b2d3e',
  imageUrl: 'https://cards.example.com/pin/5b1f2c3d-6f3c-4d59-9d3e-0f6a5c1b2d3e',
  txHash: `0x${'5'.repeat(64)}`,
});

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(request.method === 'GET' ? card : created);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
process.on('disconnect', () => process.exit());
