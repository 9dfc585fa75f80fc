import { isUtf8 } from 'node:buffer';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type NativeRequest, sendNatively } from './native-network.js';

/** A message of `host.js`. */
type Message =
  | ({ type: 'request' } & NativeRequest)
  | { type: 'abortRequest'; id: number }
  | { type: 'readBlob'; id: number; blobId: string }
  | { type: 'releaseBlob'; blobId: string }
  | { type: 'startTimer'; id: number; ms: number; isRepeated: boolean }
  | { type: 'stopTimer'; id: number }
  | { type: 'log'; message: string; level: number }
  | { type: 'results'; results: unknown }
  | { type: 'crash'; message: string };

const MARK = '@native ';
/** The log level of errors in React Native. */
const ERROR_LEVEL = 3;
const asAscii = (text: string) =>
  text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The native side of one app: its engine, network, files and timers. */
export class NativeSide {
  readonly #engine: ChildProcess;
  readonly #note: (request: NativeRequest) => void;
  readonly #requests = new Map<number, AbortController>();
  readonly #blobs = new Map<string, Buffer>();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #result: Promise<unknown>;
  #finish: (result: unknown) => void = () => {};
  #fail: (error: Error) => void = () => {};
  #lastError = '';

  constructor(hermes: string, note: (request: NativeRequest) => void) {
    this.#note = note;
    this.#result = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    // Its optimizer has a bug: a variable that a closure sets is `undefined` in the `finally` of a
    // generator that is thrown into.
    this.#engine = spawn(hermes, ['-w', '-O0'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#engine.on('error', this.#fail);
    this.#engine.on('exit', () => this.#fail(new Error(`Hermes exited: ${this.#lastError}`)));
    if (this.#engine.stdout === null) throw new Error('Hermes has no output');
    createInterface({ input: this.#engine.stdout }).on('line', (line) => this.#read(line));
  }

  /** Runs a script to its end, with the jobs that it queues. */
  evaluate(script: string): void {
    this.#write(`(0, eval)(${asAscii(JSON.stringify(script))}), undefined`);
  }

  /** Calls the app's `runInApp` and returns its result. */
  async run(options: unknown, timeoutMs: number): Promise<unknown> {
    this.#tell({ type: 'run', options });
    const timer = setTimeout(() => this.#fail(new Error('the app did not end')), timeoutMs);
    try {
      return await this.#result;
    } finally {
      clearTimeout(timer);
    }
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearInterval(timer);
    for (const request of this.#requests.values()) request.abort();
    this.#engine.kill();
  }

  #write(line: string): void {
    this.#engine.stdin?.write(`${line}\n`);
  }

  #tell(message: unknown): void {
    this.#write(`__native(${asAscii(JSON.stringify(message))})`);
  }

  #read(line: string): void {
    // The shell writes its prompt, with an escape sequence, before what a script prints.
    const start = line.indexOf(MARK);
    if (start !== -1) {
      this.#handle(JSON.parse(line.slice(start + MARK.length)));
    } else if (line.includes('Uncaught ')) {
      // The shell prints the thrown value, and continues.
      this.#fail(new Error(line.slice(line.indexOf('Uncaught '))));
    }
  }

  #handle(message: Message): void {
    switch (message.type) {
      case 'results':
        this.#finish(message.results);
        break;
      case 'crash':
        this.#fail(new Error(message.message));
        break;
      case 'request':
        void this.#send(message);
        break;
      case 'abortRequest':
        this.#requests.get(message.id)?.abort();
        break;
      case 'readBlob':
        this.#readBlob(message.id, message.blobId);
        break;
      case 'releaseBlob':
        this.#blobs.delete(message.blobId);
        break;
      case 'startTimer':
        this.#startTimer(message);
        break;
      case 'stopTimer':
        clearInterval(this.#timers.get(message.id));
        break;
      case 'log':
        if (message.level >= ERROR_LEVEL) this.#lastError = message.message;
        break;
    }
  }

  #startTimer({ id, ms, isRepeated }: { id: number; ms: number; isRepeated: boolean }): void {
    const start = isRepeated ? setInterval : setTimeout;
    this.#timers.set(
      id,
      start(() => this.#tell({ type: 'timer', id }), ms),
    );
  }

  #readBlob(id: number, blobId: string): void {
    const bytes = this.#blobs.get(blobId);
    if (bytes === undefined)
      this.#tell({ type: 'blob', id, failure: 'The specified blob is invalid' });
    // On Android, U+FFFD where the bytes are not UTF-8; on iOS, null.
    else this.#tell({ type: 'blob', id, text: isUtf8(bytes) ? bytes.toString('utf8') : null });
  }

  async #send(request: NativeRequest): Promise<void> {
    const { id, responseType } = request;
    this.#note(request);
    const emit = (name: string, ...args: unknown[]) =>
      this.#tell({ type: 'event', name, args: [id, ...args] });
    const controller = new AbortController();
    this.#requests.set(id, controller);
    try {
      const { status, headers, url, body } = await sendNatively(request, controller.signal);
      emit('didReceiveNetworkResponse', status, headers, url);
      emit('didReceiveNetworkData', this.#dataOf(body, responseType, id));
      emit('didCompleteNetworkResponse', null, false);
    } catch (error) {
      if (!controller.signal.aborted) emit('didCompleteNetworkResponse', String(error), false);
    } finally {
      this.#requests.delete(id);
    }
  }

  #dataOf(body: Buffer, responseType: NativeRequest['responseType'], id: number): unknown {
    if (responseType === 'text') return body.toString('utf8');
    if (responseType === 'base64') return body.toString('base64');
    const blobId = `blob-${id}`;
    this.#blobs.set(blobId, body);
    return { blobId, offset: 0, size: body.length };
  }
}
