import type { CombinedError } from '@urql/core';
import { mayPass, refusalOf } from '../errors.ts';
import { t } from '../language.ts';

/** Why something is not shown, and a button to try again where that may help. */
export function Trouble({ error, onRetry }: { error: CombinedError; onRetry: () => void }) {
  return (
    <div role="alert" className="trouble">
      <p>{refusalOf(error).message}</p>
      {mayPass(error) && (
        <button type="button" className="link" onClick={() => onRetry()}>
          {t('Try again')}
        </button>
      )}
    </div>
  );
}
