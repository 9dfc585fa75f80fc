type Watch = { callbacks: Set<() => void>; notify: () => void };

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls back when a signal aborts; returns a function that stops watching. All calls share one
 * listener on a signal, because Node warns of a leak when more than ten listen at once.
 */
export function watchSignal(signal: AbortSignal, callback: () => void): () => void {
  const watch = watches.get(signal) ?? startWatch(signal);
  watch.callbacks.add(callback);
  return () => {
    watch.callbacks.delete(callback);
    if (watch.callbacks.size > 0) return;
    signal.removeEventListener('abort', watch.notify);
    watches.delete(signal);
  };
}

function startWatch(signal: AbortSignal): Watch {
  const callbacks = new Set<() => void>();
  const notify = () => {
    for (const callback of [...callbacks]) callback();
  };
  const watch = { callbacks, notify };
  watches.set(signal, watch);
  signal.addEventListener('abort', notify);
  return watch;
}
