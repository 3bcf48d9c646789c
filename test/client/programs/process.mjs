/** For runtimes that run a program and have its environment in `process`. */
import { play } from './flow.mjs';

const { LACRE_URL: baseUrl, LACRE_KEY: key, LACRE_LIVE_KEY: liveKey } = process.env;
process.stdout.write(await play({ baseUrl, key, liveKey }));
