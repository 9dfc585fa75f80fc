// Bundles a page: `node webpack.mjs <entry> <folder>`.
import webpack from 'webpack';

const [entry, path] = process.argv.slice(2);
const options = {
  mode: 'production',
  entry,
  output: { path, filename: 'program.js', module: true },
  experiments: { outputModule: true },
  // The package, not the sources to which the paths of this repository lead.
  resolve: { tsconfig: false },
  performance: { hints: false },
};
webpack(options, (error, stats) => {
  if (!error && !stats.hasErrors()) return;
  console.error(error ?? stats.toString('errors-only'));
  process.exitCode = 1;
});
