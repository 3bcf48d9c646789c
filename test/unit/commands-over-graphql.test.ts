import { expect, onTestFinished, test, vi } from 'vitest';
import { queryGraphql } from '../../src/faces/cli/remote/graphql.ts';
import { silentServer } from '../support/database/silent-server.ts';
import { outcomeOf } from '../support/processes/waits.ts';

test('a command does not wait for a service that never answers', async () => {
  const silent = await silentServer();
  onTestFinished(() => silent.close());
  const after = AbortSignal.timeout.bind(AbortSignal);
  const soon = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => after(50));
  onTestFinished(() => soon.mockRestore());
  const base_url = `http://127.0.0.1:${new URL(silent.url).port}`;
  const outcome = await outcomeOf(queryGraphql({ base_url, key: 'none' }, '{ viewer { id } }'));
  expect(outcome).toMatchObject({ code: 'no_answer' });
});
