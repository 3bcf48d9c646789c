import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { exchange } from '../src/subjects/exchange/exchange.ts';
import { simulatedPublicSolution } from '../src/subjects/exchange/public-solution.ts';

/** Exchanges invoices and statuses of test environments with the simulator of the public solution, if that is enabled. */
export function exchangeTask(
  services: Omit<Parameters<typeof exchange>[0], 'publicSolution'> &
    Pick<Services, 'config' | 'simulatorUrl'>,
): Task {
  const publicSolution = simulatedPublicSolution(services.simulatorUrl);
  return async (_payload, { abortSignal }) => {
    if (services.config.publicSolution === 'simulator')
      await exchange({ ...services, publicSolution }, abortSignal);
  };
}
