<?php

// Issues, reads, corrects and verifies with the installed package; prints what came of it as JSON.

declare(strict_types=1);

require 'vendor/autoload.php';

use Lacre\Lacre;
use Lacre\LacreException;
use Lacre\Webhooks;

$given = json_decode(stream_get_contents(STDIN), true);
$line = ['description' => 'Taxi', 'quantity' => 1, 'unit_amount' => 1500, 'tax_items' => [['type' => 'vat', 'rate' => 10]]];
$ticket = ['type' => 'simplified', 'line_items' => [$line]];
$lacre = new Lacre(getenv('LACRE_URL'), getenv('LACRE_KEY'), firstRetry: 0.01);

/** The code of what is refused. */
function refused(callable $call): ?LacreException
{
    try {
        $call();
    } catch (LacreException $error) {
        return $error;
    }
    return null;
}

$issued = $lacre->createInvoice([...$ticket, 'metadata' => ['order' => '17']]);
$again = array_map(fn () => $lacre->createInvoice($ticket, idempotencyKey: 'order-18')['id'], [1, 2]);
$listed = array_column(iterator_to_array($lacre->listInvoices(limit: 1)), 'id');
$ofOrder = $lacre->listInvoices(metadata: ['order' => '17'])->first();
$none = refused(fn () => $lacre->createInvoice(['type' => 'simplified', 'line_items' => []]));
$series = $lacre->createNumberSeries(['prefix' => 'PHP', 'type' => 'standard']);
$lacre->deleteNumberSeries($series['id']);
$draft = $lacre->createInvoiceDraft(['invoice' => ['type' => 'simplified']]);
$lacre->deleteInvoiceDraft($draft['id']);
$away = new Lacre('http://127.0.0.1:9', 'sk_test_x', maxRetries: 1, firstRetry: 0.01);

echo json_encode([
    'total' => $issued['total'],
    'again' => $again[0] === $again[1],
    'retrieved' => $lacre->retrieveInvoice($issued['id'], expand: ['payments'])['number'] === $issued['number'],
    'listed' => count($listed) === 2 && count(array_unique($listed)) === 2,
    'ofOrder' => array_column($ofOrder, 'id') === [$issued['id']],
    'link' => str_contains($lacre->createInvoiceDownload($issued['id'])['download_url'], '/file?token='),
    'format' => refused(fn () => $lacre->downloadInvoiceFormat($issued['id'], 'ubl'))?->errorCode,
    'refused' => [$none->errorCode, $none->status, $none->errors[0]['field'], $none->requestId !== null],
    'away' => refused(fn () => $away->listNumberSeries()->first())?->errorCode,
    'verified' => array_map(
        function (array $delivery) use ($given): string {
            try {
                return Webhooks::verify($delivery['body'], $delivery['headers'], $given['secret'])['type'];
            } catch (LacreException $error) {
                return $error->errorCode;
            }
        },
        $given['deliveries'],
    ),
]);
