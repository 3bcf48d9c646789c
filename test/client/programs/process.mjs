/** For runtimes that run a program and have its environment in `process`. */
import { runFlow } from './flow.mjs';

const { LACRE_URL: baseUrl, LACRE_KEY: key, LACRE_LIVE_KEY: liveKey } = process.env;
process.stdout.write(await runFlow({ baseUrl, key, liveKey }));
