import { parseArgs } from 'node:util';
import { type Simulator, secretFile } from './options.ts';
import { loadSchemas } from './schemas.ts';
import { startSimulator } from './start.ts';

/** The simulator's process: one line of JSON on standard output when it is ready, its log on standard error. */

const usage = `node src/agency-simulator/main.ts --data-dir DIR [--port N] [--tls-port N] [--host ADDRESS]
  [--name NAME] [--wait-seconds N] [--schemas DIR] [--registers-only] [--port-fallback] [--exit-with-parent]`;

function refuse(reason: string): never {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        'data-dir': { type: 'string' },
        port: { type: 'string', default: '0' },
        'tls-port': { type: 'string', default: '0' },
        host: { type: 'string', default: '127.0.0.1' },
        name: { type: 'string' },
        'wait-seconds': { type: 'string', default: '60' },
        schemas: { type: 'string' },
        'registers-only': { type: 'boolean', default: false },
        'port-fallback': { type: 'boolean', default: false },
        'exit-with-parent': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
}

function number(name: string, text: string, max: number): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > max) refuse(`--${name} must be a number from 0 to ${max}`);
  return Number(text);
}

function log(message: string, fields: Record<string, unknown> = {}): void {
  console.error(JSON.stringify({ message, ...fields }));
}

const args = readArguments();
const dataDir = args['data-dir'] ?? refuse('--data-dir is missing');

async function start(): Promise<Simulator> {
  return startSimulator({
    dataDir,
    port: number('port', args.port, 65_535),
    tlsPort: number('tls-port', args['tls-port'], 65_535),
    host: args.host,
    name: args.name,
    waitSeconds: number('wait-seconds', args['wait-seconds'], 9_999),
    schemas: args.schemas === undefined ? undefined : loadSchemas(args.schemas),
    registersOnly: args['registers-only'],
    portFallback: args['port-fallback'],
    log,
  });
}

const simulator = await start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});

function end(): void {
  simulator.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
}

process.once('SIGTERM', end);
process.once('SIGINT', end);
if (args['exit-with-parent']) {
  // The parent holds the other end: however it dies, the pipe closes.
  process.stdin.on('error', end).on('end', end).resume();
}
const { url, tlsUrl, tlsDir } = simulator;
console.log(JSON.stringify({ url, tlsUrl, tlsDir, secretFile: secretFile(dataDir) }));
