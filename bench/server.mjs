// A service in a process of its own, so that its work does not count as the client's.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const card = JSON.stringify(createRequire(import.meta.url)('./card.json'));
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
