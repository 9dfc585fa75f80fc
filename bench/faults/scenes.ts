import { type AddressInfo, createServer } from 'node:net';
import { selfSignedCertificate } from '../../test/faults/certificate.js';
import { type Fault, FaultServer, sendResponse } from '../../test/faults/fault-server.js';
import { type TlsFault, TlsFaultServer } from '../../test/faults/tls-fault-server.js';

/** Servers on loopback for one call, and the requests that reached them. */
export type Scene = {
  baseUrl: string;
  /** Whole requests that reached the server of the call. */
  requests: string[];
  /** Whole requests that reached another origin. */
  otherOriginRequests: string[];
  stop: () => Promise<void>;
};

export type OpenScene = () => Promise<Scene>;

/** The only certificate of ours that the clients trust. */
export const TRUSTED = selfSignedCertificate('trusted by the clients');
const UNTRUSTED = selfSignedCertificate('unknown to the clients');

/** Opens a server that reads each request and then acts out one fault. */
export const serverThat =
  (fault: Fault): OpenScene =>
  async () => {
    const requests: string[] = [];
    const server = new FaultServer((socket, request) => {
      requests.push(request);
      fault(socket, request);
    });
    await server.start();
    return {
      baseUrl: server.baseUrl,
      requests,
      otherOriginRequests: [],
      stop: () => server.stop(),
    };
  };

/** Opens a server that redirects to another one, which accepts every request. */
export const redirectElsewhere =
  (status: number): OpenScene =>
  async () => {
    const second = await serverThat(sendResponse(200, '{}'))();
    const location = `location: ${second.baseUrl}/elsewhere`;
    const first = await serverThat(sendResponse(status, '', location))();
    const stop = async () => {
      await first.stop();
      await second.stop();
    };
    return { ...first, otherOriginRequests: second.requests, stop };
  };

const overTls = async (identity: typeof TRUSTED, fault: TlsFault): Promise<Scene> => {
  const requests: string[] = [];
  const server = new TlsFaultServer(identity, (layers, request) => {
    requests.push(request);
    fault(layers, request);
  });
  await server.start();
  return { baseUrl: server.baseUrl, requests, otherOriginRequests: [], stop: () => server.stop() };
};

/** Opens a TLS server that the clients trust. */
export const tlsServerThat =
  (fault: TlsFault): OpenScene =>
  () =>
    overTls(TRUSTED, fault);

/** Opens a TLS server that the clients do not trust. */
export const untrustedServer: OpenScene = () => overTls(UNTRUSTED, ({ tls }) => tls.end());

/** Reserves a port that refuses connections. */
export const refusedConnection: OpenScene = async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests: [],
    otherOriginRequests: [],
    stop: () => Promise.resolve(),
  };
};
