import fc from 'fast-check';

/** Who says how many are to be run wants others each time. */
const COUNTS = ['TEST_HISTORIES', 'TEST_BODIES', 'TEST_INVOICES', 'TEST_REQUESTS'];

// Properties are tried with the same values in each run: what fails has failed for a change, and fails again.
if (COUNTS.every((name) => process.env[name] === undefined)) {
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });
}
