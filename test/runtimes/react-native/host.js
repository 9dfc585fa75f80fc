// Installs the globals that the native side of an app installs before its bundle runs. The native
// side of this test is `native-side.ts`: it reads the messages that `send` prints, and calls
// `__native`.
(() => {
  const { print, setTimeout: addJob } = globalThis;

  /** Characters outside ASCII are escaped, because the pipe carries bytes. */
  const send = (message) => {
    const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    print(`@native ${JSON.stringify(message).replace(/[^\x20-\x7e]/g, escaped)}`);
  };

  // The shell empties this queue before it reads its next line, so it is one of microtasks. Promises
  // cannot be used here: this engine queues their jobs with `setImmediate`, which React Native replaces
  // by a call of `queueMicrotask`.
  const queueMicrotask = (job) => {
    addJob(job);
  };

  const timers = new Map();
  let lastTimer = 0;
  const startTimer = (callback, ms, isRepeated, args) => {
    const id = ++lastTimer;
    timers.set(id, { isRepeated, run: () => callback(...args) });
    send({ type: 'startTimer', id, ms: Math.max(0, Number(ms) || 0), isRepeated });
    return id;
  };
  const stopTimer = (id) => {
    if (timers.delete(id)) send({ type: 'stopTimer', id });
  };

  const callableModules = new Map();
  const reads = new Map();
  const startedAt = Date.now();
  const nothing = () => {};
  const constants = (value) => ({ getConstants: () => value });
  const display = { width: 1080, height: 2400, scale: 2, fontScale: 1, densityDpi: 440 };

  const nativeModules = {
    PlatformConstants: constants({
      isTesting: true,
      reactNativeVersion: { major: 0, minor: 0, patch: 0, prerelease: null },
      Version: 34,
    }),
    SourceCode: constants({ scriptURL: 'app' }),
    DeviceInfo: constants({
      Dimensions: { windowPhysicalPixels: display, screenPhysicalPixels: display },
    }),
    NativeReactNativeFeatureFlagsCxx: new Proxy(
      {},
      { get: (_, flag) => () => flag === 'enableMicrotasks' || flag === 'commonTestFlag' },
    ),
    ExceptionsManager: { reportException: ({ message }) => send({ type: 'crash', message }) },
    NativePerformanceCxx: { now: () => Date.now() - startedAt },
    NativeMicrotasksCxx: { queueMicrotask },
    Networking: {
      sendRequest: (method, url, id, headers, body, responseType, _, timeout, cookies) =>
        send({ type: 'request', method, url, id, headers, body, responseType, timeout, cookies }),
      abortRequest: (id) => send({ type: 'abortRequest', id }),
      addListener: nothing,
      removeListeners: nothing,
    },
    BlobModule: {
      ...constants({ BLOB_URI_SCHEME: 'content', BLOB_URI_HOST: null }),
      addNetworkingHandler: nothing,
      createFromParts: nothing,
      release: (blobId) => send({ type: 'releaseBlob', blobId }),
    },
    FileReaderModule: {
      readAsText: ({ blobId }) =>
        new Promise((resolve, reject) => {
          const id = reads.size + 1;
          reads.set(id, { resolve, reject });
          send({ type: 'readBlob', id, blobId });
        }),
    },
  };

  /** The actions that the native side can request, by the type of its message. */
  const receivers = {
    timer: ({ id }) => {
      const timer = timers.get(id);
      if (timer === undefined) return;
      if (!timer.isRepeated) timers.delete(id);
      timer.run();
    },
    event: ({ name, args }) => callableModules.get('RCTDeviceEventEmitter')().emit(name, args),
    blob: ({ id, text, failure }) => {
      const { resolve, reject } = reads.get(id);
      if (failure === undefined) resolve(text);
      else reject(new Error(failure));
    },
    run: ({ options }) => {
      const crash = (error) => send({ type: 'crash', message: String(error?.stack ?? error) });
      globalThis.runInApp(options).then((results) => send({ type: 'results', results }), crash);
    },
  };

  Object.assign(globalThis, {
    RN$Bridgeless: true,
    RN$registerCallableModule: (name, load) => void callableModules.set(name, load),
    __turboModuleProxy: (name) => nativeModules[name] ?? null,
    nativeModuleProxy: {},
    nativePerformanceNow: () => Date.now() - startedAt,
    nativeLoggingHook: (message, level) => send({ type: 'log', message, level }),
    queueMicrotask,
    setTimeout: (callback, ms, ...args) => startTimer(callback, ms, false, args),
    setInterval: (callback, ms, ...args) => startTimer(callback, ms, true, args),
    clearTimeout: stopTimer,
    clearInterval: stopTimer,
    requestAnimationFrame: (callback) => startTimer(callback, 16, false, [0]),
    cancelAnimationFrame: stopTimer,
    __native: (message) => receivers[message.type](message),
  });
  for (const name of ['print', 'gc', 'quit', 'createHeapSnapshot', 'loadSegment']) {
    delete globalThis[name];
  }
})();
