import type { InputHTMLAttributes } from 'react';
import type { Fault } from '../errors.ts';
import { t, words } from '../language.ts';
import type { Draft, TextName } from './draft.ts';
import { Input, Select } from './field.tsx';

export type DraftProps = {
  readonly draft: Draft;
  readonly faults: readonly Fault[];
  readonly onChange: (part: Partial<Draft>) => void;
};

type Attributes = InputHTMLAttributes<HTMLInputElement>;

/** Makes the fields of a draft's texts. */
export function fieldsOf({ draft, faults, onChange }: DraftProps) {
  return {
    text: (path: string, label: string, name: TextName, rest: Attributes = {}) => (
      <Input
        {...{ path, label, faults, ...rest }}
        key={path}
        value={draft[name]}
        onChange={({ target }) => onChange({ [name]: target.value })}
      />
    ),
    choice: (path: string, label: string, name: TextName, values: readonly string[], none: string) => (
      <Select
        {...{ path, label, faults }}
        key={path}
        value={draft[name]}
        onChange={({ target }) => onChange({ [name]: target.value })}
      >
        <option value="">{none}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {words(value)}
          </option>
        ))}
      </Select>
    ),
    check: (label: string, name: 'isQualified' | 'isUnidentified' | 'hasSurcharge') => (
      <label className="choice" key={name}>
        <input
          type="checkbox"
          checked={draft[name]}
          onChange={({ target }) => onChange({ [name]: target.checked })}
        />
        {label}
      </label>
    ),
  };
}

/** What a choice says that is left to the service. */
export const standard = () => t('as usual');
