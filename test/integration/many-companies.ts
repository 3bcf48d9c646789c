import type { TestService } from '../support/http/http-service.ts';
import { companiesWithHistory } from '../support/invoices/companies-with-history.ts';

/** Of so many companies one is in trouble of each kind. */
const TROUBLED = 3;

/**
 * Companies with a year of invoices, a third of them in trouble: chains that stopped, records that were refused, parked or
 * wait, endpoints and jobs that fail. Answers the number of an invoice that many of them have.
 */
export async function manyCompanies(
  service: TestService,
  { companies, invoices }: { readonly companies: number; readonly invoices: number },
): Promise<string> {
  await companiesWithHistory(service, { companies, invoices });
  const { owner } = service;
  await owner.query(
    "update company set legal_name = 'Empresa ' || nif || ' SL' where legal_name not like 'Empresa%'",
  );
  await owner.query(
    `update chain_dispatch set stopped_at = now() - interval '2 hours', consecutive_failures = 3,
            stopped_reason = '4104: Error en la cabecera: el valor del campo NIF del bloque ObligadoEmision no está identificado.'
      where chain_id % ${TROUBLED} = 0 and exists (
        select 1 from environment where environment.id = chain_dispatch.environment_id and kind = 'live')`,
  );
  await setRecords(service, 'rejected', "error_code = '1105', error_message = 'La fecha no es válida.'", 1);
  await setRecords(service, 'registered_with_errors', "error_code = '2000', error_message = 'Huella.'", 2);
  await setRecords(service, 'pending', "parked_reason = '4102: El XML no cumple el esquema.'", 3);
  await setRecords(service, 'pending', 'settled_at = null, receipt = null', 4);
  await owner.query(
    `insert into webhook_endpoint (id, environment_id, url, event_types, status, reached_sequence, failing_since, created_at)
     select 'whe_many_' || id, id, 'https://shop' || id || '.example.com/hooks', '{*}', 'active', 1, now(), now() from environment`,
  );
  await owner.query(
    `select graphile_worker.add_job('render_pdf', json_build_object('n', n), max_attempts => 1)
       from generate_series(1, 200) n`,
  );
  await owner.query(
    `update graphile_worker._private_jobs set attempts = 1, last_error = 'Error: the object store is out of reach'
      where payload::jsonb ? 'n'`,
  );
  const { rows } = await owner.query<{ number: string }>(
    'select number from invoice group by number order by count(*) desc limit 1',
  );
  return rows[0]!.number;
}

/** Gives the record at a place from the end of each troubled chain another state. */
async function setRecords(
  service: TestService,
  status: string,
  more: string,
  fromEnd: number,
): Promise<void> {
  await service.owner.query(
    `update record_state s set status = $1::registration_status, ${more} from chain c
      where s.environment_id = c.environment_id and s.chain_id = c.id and c.id % ${TROUBLED} = 1
        and s.position = c.last_position - $2::int`,
    [status, fromEnd],
  );
}
