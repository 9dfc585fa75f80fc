import { readFileSync } from 'node:fs';

// Part of `npm run docs`: every public function and method must have an example.

/** The part of typedoc's JSON that this script reads. */
type Reflection = {
  name: string;
  kind: number;
  inheritedFrom?: unknown;
  overwrites?: unknown;
  implementationOf?: unknown;
  children?: Reflection[];
  signatures?: { comment?: { blockTags?: { tag: string }[] } }[];
};

const FUNCTION = 64;
const METHOD = 2048;

/** Callers implement these types themselves, so their methods need no example. */
const TYPE_ALIAS = 2_097_152;

/** Returns all functions, and the methods that no parent type demands. */
function uses(parent: Reflection, path: string): [string, Reflection][] {
  return (parent.children ?? []).flatMap((child) => {
    const name = `${path}${child.name}`;
    const isOwn = !(child.inheritedFrom || child.overwrites || child.implementationOf);
    const isMethod = child.kind === METHOD && parent.kind !== TYPE_ALIAS;
    const own: [string, Reflection][] =
      isOwn && (isMethod || child.kind === FUNCTION) ? [[name, child]] : [];
    return [...own, ...uses(child, `${name}.`)];
  });
}

function hasExample({ signatures = [] }: Reflection): boolean {
  return signatures.some(({ comment }) =>
    comment?.blockTags?.some(({ tag }) => tag === '@example'),
  );
}

const found = uses(JSON.parse(readFileSync('docs-api/reference.json', 'utf8')), '');
const without = found.filter(([, one]) => !hasExample(one)).map(([name]) => name);
if (found.length < 100) throw new Error(`only ${found.length} functions and methods were found`);
console.log(`${found.length} functions and methods, ${without.length} without an example`);
for (const name of without) console.log(`  ${name}`);
if (without.length > 0) process.exitCode = 1;
