// The package uses ky on every runtime except Node. Bun is Node with an additional version, so the
// package takes this process for Bun.
Object.defineProperty(process.versions, 'bun', { value: '1' });

// Imported afterwards, because the package may check the runtime at any time.
export const { connect } = await import('./ours.mjs');
