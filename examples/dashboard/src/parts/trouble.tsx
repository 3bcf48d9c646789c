import type { CombinedError } from '@urql/core';
import { refusalOf } from '../errors.ts';

export function Trouble({ error }: { error: CombinedError }) {
  return (
    <p role="alert" className="trouble">
      {refusalOf(error).message}
    </p>
  );
}
