import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react';
import type { Fault } from '../errors.ts';

type Common = { path: string; label: string; faults: readonly Fault[] };

/** What is wrong at a path, or deeper where no field of the form stands for that. */
function faultsAt(path: string, faults: readonly Fault[]): readonly Fault[] {
  return faults.filter(
    ({ field }) => field === path || field.startsWith(`${path}[`) || field.startsWith(`${path}.`),
  );
}

function Around({
  path,
  label,
  wrong,
  children,
}: Omit<Common, 'faults'> & { wrong: readonly Fault[]; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={path}>{label}</label>
      {children}
      {wrong.length > 0 && (
        <p className="wrong" id={`${path}-wrong`}>
          {wrong.map(({ message }) => message).join('; ')}
        </p>
      )}
    </div>
  );
}

const said = (path: string, wrong: readonly Fault[]) =>
  wrong.length === 0
    ? { id: path, name: path }
    : { id: path, name: path, 'aria-invalid': true, 'aria-describedby': `${path}-wrong` };

/** An input whose id is the path of what it stands for in the mutation's variables: by that path a refusal finds it. */
export function Input({ path, label, faults, ...rest }: Common & InputHTMLAttributes<HTMLInputElement>) {
  const wrong = faultsAt(path, faults);
  return (
    <Around path={path} label={label} wrong={wrong}>
      <input autoComplete="off" {...rest} {...said(path, wrong)} />
    </Around>
  );
}

export function Select({
  path,
  label,
  faults,
  children,
  ...rest
}: Common & SelectHTMLAttributes<HTMLSelectElement>) {
  const wrong = faultsAt(path, faults);
  return (
    <Around path={path} label={label} wrong={wrong}>
      <select {...rest} {...said(path, wrong)}>
        {children}
      </select>
    </Around>
  );
}

/** Fields that belong together; what is refused of them as a whole is told here. */
export function Group({ path, label, faults, children }: Common & { children: ReactNode }) {
  const wrong = faults.filter(({ field }) => field === path);
  const described = wrong.length === 0 ? {} : { 'aria-describedby': `${path}-wrong` };
  return (
    <fieldset id={path} tabIndex={-1} {...described}>
      <legend>{label}</legend>
      {wrong.length > 0 && (
        <p className="wrong" id={`${path}-wrong`}>
          {wrong.map(({ message }) => message).join('; ')}
        </p>
      )}
      {children}
    </fieldset>
  );
}
