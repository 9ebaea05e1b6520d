/** Answers `GET /N` with the N-th HTML file of a folder, from memory, over connections that are kept, in a process of its own. Started by links-bound.ts. */
import { type AddressInfo, createServer } from 'node:net';
import { htmlBodies } from './html-bodies.ts';

const [folder, count] = process.argv.slice(2);
const answers = htmlBodies(folder, Number(count)).map((body) =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\nServer: bench\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n`,
    ),
    body,
  ]),
);

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {});
  // Nobody who asks it has a second request under way, so that a piece of data is a request.
  socket.on('data', (request) => {
    const number = Number(/^GET \/(\d+) /.exec(request.toString('latin1'))?.[1]);
    socket.write(answers[number % answers.length]);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
