import type * as buffer from 'node:buffer';
import type * as http from 'node:http';
import type * as https from 'node:https';
import type * as net from 'node:net';
import type * as tls from 'node:tls';
import type * as zlib from 'node:zlib';

/** The Node modules that the adapter uses. */
export type NodeModules = {
  http: typeof http;
  https: typeof https;
  net: typeof net;
  tls: typeof tls;
  zlib: typeof zlib;
  buffer: typeof buffer;
};

type Globals = { process?: { getBuiltinModule?: (name: string) => unknown } };

/**
 * The modules of Node; `undefined` where the runtime does not provide them (before Node 20.16).
 * Taken from the process rather than imported, so that bundlers for browsers do not see them.
 */
export function nodeModules(globals: object = globalThis): NodeModules | undefined {
  const { process } = globals as Globals;
  const load = (name: string) => process?.getBuiltinModule?.(`node:${name}`);
  const modules = {
    http: load('http'),
    https: load('https'),
    net: load('net'),
    tls: load('tls'),
    zlib: load('zlib'),
    buffer: load('buffer'),
  };
  const isComplete = Object.values(modules).every((one) => one !== undefined);
  return isComplete ? (modules as NodeModules) : undefined;
}
