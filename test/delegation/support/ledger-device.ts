import transportModule from '@ledgerhq/hw-transport';
import { concat, fromRlp, type Hex, hashMessage, keccak256, toHex } from 'viem';
import { sign as signHash } from 'viem/accounts';

/**
 * The class that one of Ledger's modules exports. Its declarations describe a module, where Vitest
 * returns the class.
 */
export function classOf<T>(module: { readonly default: T }): T {
  return module.default ?? (module as unknown as T);
}

/** What the user has done with the device. */
export type DeviceState = {
  isLocked: boolean;
  /** The app that is open; `undefined` for the list of apps. */
  app: 'Ethereum' | 'Solana' | 'Bitcoin' | undefined;
  /** Whether the app may sign what it cannot show. */
  signsBlindly: boolean;
  isDeclining: boolean;
};

/** Status words of devices and their apps. */
const STATUS = {
  ok: 0x9000,
  locked: 0x5515,
  noApp: 0x6511,
  otherApp: 0x6e00,
  unknownCommand: 0x6d00,
  ethereumNeedsBlindSigning: 0x6a80,
  solanaNeedsBlindSigning: 0x6808,
  declined: 0x6985,
} as const;

/** What an app of the device does with a command: bytes, or the name of a status word. */
type Reply = Uint8Array | keyof typeof STATUS;
type Command = { ins: number; p1: number; p2: number; data: Uint8Array };
type App = (command: Command, device: DeviceState) => Promise<Reply>;

/**
 * A Ledger device that a library talks to byte by byte: it reads commands (APDU), and answers with
 * bytes and a status word. It signs with a real key.
 */
export class LedgerDevice extends classOf(transportModule) {
  readonly device: DeviceState;
  /** Every command and every response, in hex. */
  readonly bytes: string[] = [];
  readonly #app: App;

  constructor(app: 'Ethereum' | 'Solana', run: App) {
    super();
    this.device = { isLocked: false, app, signsBlindly: true, isDeclining: false };
    this.#name = app;
    this.#app = run;
  }

  readonly #name: 'Ethereum' | 'Solana';

  override async exchange(apdu: Buffer): Promise<Buffer> {
    const reply = await this.#reply(apdu);
    const [bytes, status] =
      typeof reply === 'string' ? [new Uint8Array(), reply] : [reply, 'ok' as const];
    const word = STATUS[status];
    const response = Buffer.from([...bytes, word >> 8, word & 255]);
    this.bytes.push(`=> ${apdu.toString('hex')}`, `<= ${response.toString('hex')}`);
    return response;
  }

  override async close(): Promise<void> {}

  /** The status words of its responses, without those of success. */
  refusals(): string[] {
    const words = this.bytes.filter((one) => one.startsWith('<=')).map((one) => one.slice(-4));
    return words.filter((word) => word !== '9000');
  }

  #reply(apdu: Buffer): Promise<Reply> | Reply {
    const { isLocked, app } = this.device;
    if (isLocked) return 'locked';
    if (app === undefined) return 'noApp';
    const [cla, ins = 0, p1 = 0, p2 = 0, length = 0] = apdu;
    if (app !== this.#name || cla !== 0xe0) return 'otherApp';
    const data = apdu.subarray(5);
    if (data.length !== length) throw new Error('the length of the command is wrong');
    return this.#app({ ins, p1, p2, data }, this.device);
  }
}

/** The bytes of a derivation path at the start of some data, and what follows. */
function afterPath(data: Uint8Array): Uint8Array {
  return data.subarray(1 + (data[0] ?? 0) * 4);
}

/** How long a transaction is, from the header of its list (RLP). */
function transactionLength(bytes: Uint8Array): number {
  const type = (bytes[0] ?? 0) < 0x80 ? 1 : 0;
  const head = bytes[type] ?? 0;
  if (head <= 0xf7) return type + 1 + head - 0xc0;
  const size = head - 0xf7;
  const length = Number(toHex(bytes.subarray(type + 1, type + 1 + size)));
  return type + 1 + size + length;
}

function hasCalldata(transaction: Uint8Array): boolean {
  const isTyped = (transaction[0] ?? 0) < 0x80;
  const fields = fromRlp(transaction.subarray(isTyped ? 1 : 0), 'hex') as Hex[];
  return fields[isTyped ? 7 : 5] !== '0x';
}

/** The Ethereum app, as documented in `app-ethereum/doc/ethapp.adoc`. */
export function ethereumApp(address: string, key: Hex): App {
  let received: Uint8Array = new Uint8Array();
  const collect = (p1: number, data: Uint8Array) => {
    received = p1 === 0 ? afterPath(data) : Uint8Array.from([...received, ...data]);
    return received;
  };
  const signature = async (hash: Hex, v: (parity: number) => number): Promise<Uint8Array> => {
    const { r, s, yParity } = await signHash({ hash, privateKey: key });
    return Buffer.from(concat([toHex(v(yParity ?? 0), { size: 1 }), r, s]).slice(2), 'hex');
  };
  return async ({ ins, p1, data }, device) => {
    switch (ins) {
      case 0x02: {
        const text = Buffer.from(address.slice(2), 'ascii');
        return Uint8Array.from([65, ...new Uint8Array(65), text.length, ...text]);
      }
      case 0x04: {
        const transaction = collect(p1, data);
        if (transaction.length < transactionLength(transaction)) return new Uint8Array();
        if (hasCalldata(transaction) && !device.signsBlindly) return 'ethereumNeedsBlindSigning';
        if (device.isDeclining) return 'declined';
        return signature(keccak256(transaction), (parity) => parity);
      }
      case 0x08: {
        const message = collect(p1, data);
        const length = Buffer.from(message).readUInt32BE(0);
        if (message.length < 4 + length) return new Uint8Array();
        if (device.isDeclining) return 'declined';
        return signature(hashMessage({ raw: message.subarray(4) }), (parity) => 27 + parity);
      }
      default:
        return 'unknownCommand';
    }
  };
}

/** The Solana app, as documented in `app-solana/doc/api.md`. */
export function solanaApp(
  publicKey: Uint8Array,
  sign: (bytes: Uint8Array) => Promise<Uint8Array>,
): App {
  const EXTENDS = 1;
  const MORE = 2;
  let received: Uint8Array = new Uint8Array();
  return async ({ ins, p2, data }, device) => {
    if (ins === 0x05) return publicKey;
    if (ins !== 0x06 && ins !== 0x07) return 'unknownCommand';
    received = (p2 & EXTENDS) === 0 ? data : Uint8Array.from([...received, ...data]);
    if ((p2 & MORE) !== 0) return new Uint8Array();
    // The number of signers, and then the path of each.
    const bytes = afterPath(received.subarray(1));
    if (ins === 0x06 && !device.signsBlindly) return 'solanaNeedsBlindSigning';
    return device.isDeclining ? 'declined' : sign(bytes);
  };
}
