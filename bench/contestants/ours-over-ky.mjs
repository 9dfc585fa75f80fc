// The package sends over ky wherever it does not run on Node. Bun is Node with a version of its own,
// so this process is taken for it.
Object.defineProperty(process.versions, 'bun', { value: '1' });

// Loaded after that, whenever the package may look.
export const { connect } = await import('./ours.mjs');
