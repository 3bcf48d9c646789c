import { findOrStartDemo } from '../demo.ts';
import { walk } from './walk.ts';

/**
 * `npm run shop`: a day of a shop at the Lacre of `LACRE_URL` and `LACRE_KEY`, else at the demo that `npm start` is
 * running here, else at a demo that is started for it.
 */

const { lacre, end } = await findOrStartDemo();
try {
  await walk(lacre, console.log);
} finally {
  await end();
}
