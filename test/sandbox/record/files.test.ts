import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../../src/sandbox/command-line.js';
import { RECORD_USAGE, readRecordOptions, record } from '../../../src/sandbox/commands/record.js';
import { Recording, writeWhole } from '../../../src/sandbox/record/recording.js';
import { findRoute } from '../../../src/testing/routing.js';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recording-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const CALL = {
  method: 'GET',
  path: '/v1/card/status',
  query: [],
  request: { headers: {}, body: { kind: 'empty' } },
  response: { status: 404, headers: {}, body: { kind: 'empty' } },
  route: findRoute('GET', '/v1/card/status'),
} as const;

describe('the files of a recording', () => {
  it('can be read by their owner only', async () => {
    const folder = await newFolder();
    const recording = await Recording.start(join(folder, 'out'), () => undefined);
    recording.add(CALL);
    await recording.finish();
    const names = await readdir(join(folder, 'out'));
    expect(names.sort()).toEqual(['0001-card.status-404.json', 'report.json', 'report.md']);
    for (const name of names) {
      expect((await stat(join(folder, 'out', name))).mode & 0o077).toBe(0);
    }
  });

  it('are whole or absent when writing fails, and the console names no value', async () => {
    const folder = await newFolder();
    const log: string[] = [];
    const recording = await Recording.start(folder, (line) => log.push(line));
    await mkdir(join(folder, '0001-card.status-404.json', 'x'), { recursive: true });
    recording.add(CALL);
    recording.add(CALL);
    await recording.finish();
    expect(log[0]).toMatch(/^an exchange or the report was not written: [A-Z]+$/);
    expect(log[1]).toContain('0002 GET /v1/card/status 404');
    const names = await readdir(folder);
    expect(names.filter((name) => name.endsWith('.partial'))).toEqual([]);
    expect(names).toContain('0002-card.status-404.json');
  });

  it('include a report to read, with the fields that no contract shows where there are any', async () => {
    const folder = await newFolder();
    const report = async (name: string, calls: readonly Parameters<Recording['add']>[0][]) => {
      const recording = await Recording.start(join(folder, name), () => undefined);
      for (const call of calls) recording.add(call);
      await recording.finish();
      return (await readFile(join(folder, name, 'report.md'), 'utf8')).split('\n');
    };
    const path = '/v1/wallet/external';
    const response = {
      ...CALL.response,
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { kind: 'json', json: [{ status: 'x' }] },
    } as const;
    const list = { ...CALL, path, route: findRoute('GET', path), response };
    const head = (count: number) => [
      '# Recording',
      '',
      expect.stringMatching(
        new RegExp(`^${count} exchanges, 0 calls without a complete response, \\d differences`),
      ),
      '',
    ];
    const calls = (...lines: string[]) => ['## Calls', '', ...lines, ''];
    expect(await report('empty', [])).toEqual([...head(0), ...calls()]);
    const one = await report('one', [list, list]);
    expect(one.slice(0, 4)).toEqual(head(2));
    expect(one.slice(one.indexOf('## Fields that the contract does not show'))).toEqual([
      '## Fields that the contract does not show',
      '',
      '- `wallets.external.list`: `status`',
      '',
      ...calls('- `wallets.external.list`: 2'),
    ]);
  });

  it('keep their old content until the new one is complete', async () => {
    const folder = await newFolder();
    const path = join(folder, 'report.json');
    await writeWhole(path, 'old');
    await mkdir(`${path}.partial`);
    await expect(writeWhole(path, 'new')).rejects.toThrow();
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  it('are never mixed with other files: a folder that is not empty is refused', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'mine.txt'), '');
    await expect(Recording.start(folder, () => undefined)).rejects.toThrow(UsageError);
  });

  it('are not written before the port is known to be free', async () => {
    const out = join(await newFolder(), 'out');
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const args = ['--service', 'http://127.0.0.1:1', '--out', out, '--port', String(port)];
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(record.run(args)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    }
    expect(await readdir(out)).toEqual([]);
  });

  it('replace what an interrupted recording left', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, '0001-card.status-200.json.partial'), '{"half');
    await (await Recording.start(folder, () => undefined)).finish();
    expect((await readdir(folder)).sort()).toEqual(['report.json', 'report.md']);
  });
});

describe('the options of card-platform-sandbox record', () => {
  it('are the service, the folder and the port', () => {
    const args = ['--service', 'https://api.example/base', '--out', 'x', '--port', '0'];
    const service = new URL('https://api.example/base');
    expect(readRecordOptions(args)).toEqual({ service, out: 'x', port: 0, observed: false });
    expect(readRecordOptions([...args, '--observed'])).toMatchObject({ observed: true });
    expect(readRecordOptions(['--help'])).toBeUndefined();
    for (const name of ['--service', '--out', '--port', '--observed'])
      expect(RECORD_USAGE).toContain(name);
  });

  it.each([
    [['--out', 'x']],
    [['--service', 'http://api.example', '--out', 'x']],
    [['--service', 'https://user:s3cret@api.example', '--out', 'x']],
    [['--service', 'https://api.example/?key=s3cret', '--out', 'x']],
    [['--service', 'https://api.example']],
    [['--service', 'https://api.example', '--out', ' ']],
    [['--service', 'https://api.example', '--out', 'x', '--port', '65536']],
    [['--service', 'https://api.example', '--out', 'x', 's3cret']],
    [['--s3cret']],
    [['--service', 'https://api.example', '--out', 'x', '--observed=s3cret']],
    [['--service', 'https://api.example', '--out', 'x', '--observed', 's3cret']],
    [['--service', 'https://api.example', '--out', 'x', '--observe']],
  ])('are refused when invalid, without naming a value: %j', (args) => {
    let message = '';
    try {
      readRecordOptions(args);
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      message = String(error);
    }
    expect(message).not.toBe('');
    expect(message).not.toContain('s3cret');
  });
});
