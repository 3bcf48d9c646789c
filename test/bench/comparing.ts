import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { readConfig } from '../../src/ground/config/config.ts';
import { migrate } from '../../src/ground/db/migrate.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { holdLiveChains } from '../../src/subjects/registration/store/hold.ts';
import { scriptedAgency } from '../support/agency/scripted.ts';
import { createCompany } from '../support/invoices/company.ts';
import type { ComparisonMemory, ComparisonTask } from './programs/comparison.ts';
import { openWorkspace } from './workspace.ts';

const SCHEMAS =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';
/** Of the agency’s pages. */
const PAGE = 10_000;
const PAGES = 10;
const QUICK_PAGES = 3;
/** Of a page that is written at once. */
const PART = 500;

const workspace = await openWorkspace();
try {
  await comparing(process.argv.includes('--quick') ? QUICK_PAGES : PAGES);
} finally {
  await workspace.close();
}

/**
 * Has a chain compared, as after a restore, with an agency that holds 100,000 records of one month, none of which the
 * database has: the most that there can be to keep of each page. A process of its own does it, over TLS, with the options
 * of `npm start`; what it takes of memory is printed, page by page.
 */
async function comparing(pages: number): Promise<void> {
  const { url, db } = await workspace.database('comparing');
  await migrate(db.pool);
  const { live } = await createCompany(db);
  await holdLiveChains(db.pool, clock.now());
  const agency = await scriptedAgency((message, response) => answer(message, response, pages * PAGE));
  const { environmentId, chainId } = live;
  const chain = { environmentId, chainId };
  const began = performance.now();
  try {
    const { software } = readConfig({});
    const memory = await compareApart({ databaseUrl: url, access: agency.access, software, chain });
    report(memory, pages * PAGE, (performance.now() - began) / 1_000);
  } finally {
    await agency.stop();
  }
}

async function compareApart(task: ComparisonTask): Promise<ComparisonMemory> {
  const child = fork(join(import.meta.dirname, 'programs/comparison.ts'), {
    execArgv: ['--expose-gc', '--max-semi-space-size=32', '--max-old-space-size=704'],
    serialization: 'advanced',
  });
  child.send(task);
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (typeof message !== 'object') throw new Error(`the comparison ended with ${message}`);
  return message as ComparisonMemory;
}

/** What the agency holds of the month that is requested: of the present one so many records, of the others none. */
async function answer(message: string, response: ServerResponse, held: number): Promise<void> {
  const field = (name: string) => new RegExp(`<sf:${name}>(.*?)<`).exec(message)?.[1] ?? '';
  const isPresent = Number(field('Periodo')) === clock.now().getMonth() + 1;
  const after = Number(/<con:ClavePaginacion>.*?F-(\d+)</.exec(message)?.[1] ?? 0);
  const until = isPresent ? Math.min(held, after + PAGE) : after;
  response.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' });
  response.write(
    '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>' +
      `<c:RespuestaConsultaFactuSistemaFacturacion xmlns:c="${SCHEMAS}RespuestaConsultaLR.xsd" xmlns:i="${SCHEMAS}SuministroInformacion.xsd">` +
      `<c:IndicadorPaginacion>${isPresent && until < held ? 'S' : 'N'}</c:IndicadorPaginacion>` +
      `<c:ResultadoConsulta>${until > after ? 'ConDatos' : 'SinDatos'}</c:ResultadoConsulta>`,
  );
  // Who asks, and for which installation, as the query names it.
  const [, software = ''] = /<con:SistemaInformatico>(.*?)<\/con:SistemaInformatico>/s.exec(message) ?? [];
  const shown = software.replaceAll('sf:', 'i:');
  for (let number = after; number < until; number += PART) {
    const part = Array.from({ length: Math.min(PART, until - number) }, (_, at) =>
      recordXml(number + at + 1, shown),
    );
    if (!response.write(part.join(''))) await once(response, 'drain');
  }
  response.end('</c:RespuestaConsultaFactuSistemaFacturacion></env:Body></env:Envelope>');
}

/** As long as those that the agency shows. */
function recordXml(number: number, software: string): string {
  const [year, month] = madridDay(clock.now()).split('-');
  return (
    '<c:RegistroRespuestaConsultaFactuSistemaFacturacion><c:IDFactura><i:IDEmisorFactura>B72877814</i:IDEmisorFactura>' +
    `<i:NumSerieFactura>F-${number}</i:NumSerieFactura><i:FechaExpedicionFactura>01-${month}-${year}</i:FechaExpedicionFactura>` +
    '</c:IDFactura><c:DatosRegistroFacturacion><c:TipoFactura>F2</c:TipoFactura>' +
    '<c:DescripcionOperacion>Cuota mensual del servicio</c:DescripcionOperacion><c:Desglose><i:DetalleDesglose>' +
    '<i:Impuesto>01</i:Impuesto><i:ClaveRegimen>01</i:ClaveRegimen><i:CalificacionOperacion>S1</i:CalificacionOperacion>' +
    '<i:TipoImpositivo>21.00</i:TipoImpositivo><i:BaseImponibleOimporteNoSujeto>100.00</i:BaseImponibleOimporteNoSujeto>' +
    '<i:CuotaRepercutida>21.00</i:CuotaRepercutida></i:DetalleDesglose></c:Desglose><c:CuotaTotal>21.00</c:CuotaTotal>' +
    `<c:ImporteTotal>121.00</c:ImporteTotal><c:SistemaInformatico>${software}</c:SistemaInformatico>` +
    `<c:TipoHuella>01</c:TipoHuella><c:Huella>${String(number).padStart(64, '0')}</c:Huella></c:DatosRegistroFacturacion>` +
    '<c:EstadoRegistro><c:EstadoRegistro>Correcto</c:EstadoRegistro></c:EstadoRegistro>' +
    '</c:RegistroRespuestaConsultaFactuSistemaFacturacion>'
  );
}

function report({ result, pagesMiB, highestMiB }: ComparisonMemory, records: number, seconds: number): void {
  const texts = (values: readonly number[]) => values.map((value) => value.toFixed(0)).join(', ');
  console.log(`${records} records of a month, none of them here, in ${seconds.toFixed(1)} s: ${result}`);
  console.log(`in use after each page, garbage collected: ${texts(pagesMiB)} MiB`);
  console.log(`the most that was resident until then: ${texts(highestMiB)} MiB`);
}
