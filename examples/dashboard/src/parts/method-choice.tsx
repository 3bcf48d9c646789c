import { type Text, t } from '../language.ts';
import type { Rectifies } from './draft.ts';

type Method = Rectifies['method'];

const METHODS: readonly (readonly [method: Method, label: Text])[] = [
  ['substitution', 'By substitution: the lines below replace all of its lines'],
  ['differences', 'By differences: the lines below are added to it, with a minus to take away'],
];

type Props = { readonly method: Method; readonly onChange: (method: Method) => void };

/** Whether an invoice is stated anew, or what there is to add and take away. */
export function MethodChoice({ method, onChange }: Props) {
  return METHODS.map(([value, label]) => (
    <label className="choice" key={value}>
      <input type="radio" name="method" checked={method === value} onChange={() => onChange(value)} />
      {t(label)}
    </label>
  ));
}
