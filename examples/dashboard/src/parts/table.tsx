import type { ReactNode } from 'react';

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand under one another. */
  readonly isNumber?: boolean;
};

type Props<Row> = {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
};

const classOf = ({ isNumber }: { readonly isNumber?: boolean }) =>
  isNumber === true ? { className: 'number' } : {};

/** Rows, each in a line; on a phone each on a card. */
export function Table<Row>({ rows, keyOf, columns }: Props<Row>) {
  const [name, ...others] = columns;
  if (name === undefined) return null;
  return (
    <table className="cards">
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" key={column.title} {...classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row">{name.cell(row)}</th>
            {others.map((column) => (
              <td key={column.title} {...classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
