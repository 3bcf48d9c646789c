import { type ReactNode, useState } from 'react';
import type { Fault } from '../errors.ts';

type Props = {
  readonly label: string;
  /** Open from the beginning: something in it is filled in. */
  readonly isUsed: boolean;
  /** The paths of its fields: what is wrong with one opens it. */
  readonly paths: readonly string[];
  readonly faults: readonly Fault[];
  readonly children: ReactNode;
};

/** Fields that few invoices need, which are there once somebody wants them. */
export function More({ label, isUsed, paths, faults, children }: Props) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isWrong = faults.some(({ field }) => paths.some((path) => field.startsWith(path)));
  const isOpen = isWrong || (chosen ?? isUsed);
  return (
    <div className="more">
      <button type="button" className="link" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
        {label}
      </button>
      {isOpen && <div className="columns">{children}</div>}
    </div>
  );
}
