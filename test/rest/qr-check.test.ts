import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSimulator } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const CODE = '/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-1&fecha=01-07-2026&importe=12.10';

test('the QR code of a test invoice leads to the service, which shows the simulator’s page to everybody', async () => {
  expect(service.services.qrBases.test).toBe('http://lacre.test/wlpl/TIKE-CONT/ValidarQR');
  const page = await fetch(service.url + CODE);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('Factura no encontrada');
  const data = await (await fetch(`${service.url}${CODE}&formato=json`)).json();
  expect(data).toMatchObject({ status: 'OK', respuesta: { resultado: '01', numserie: 'F-1' } });
});

test('only the simulator is queried, for any host that a request names', async () => {
  const { hostname, port } = new URL(service.url);
  const status = await new Promise((resolve, reject) => {
    const path = `http://127.0.0.1:1${CODE}`;
    const sent = request({ hostname, port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
    sent.end();
  });
  expect([200, 404]).toContain(status);
});

test('on the loopback address the code leads to the simulator itself', async () => {
  const local = await testService({ BASE_URL: 'http://localhost:3000' });
  const { simulatorUrl, qrBases } = local.services;
  expect(qrBases.test).toBe(`${simulatorUrl}/wlpl/TIKE-CONT/ValidarQR`);
  await local.close();
});

test('without a simulator the answer states it', async () => {
  const simulator = { ...(await testSimulator()), url: 'http://127.0.0.1:1' };
  const alone = await testService({}, { simulator });
  const answer = await fetch(alone.url + CODE);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'service_unavailable' });
  await alone.close();
});
