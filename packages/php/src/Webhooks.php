<?php

declare(strict_types=1);

namespace Lacre;

/**
 * Deliveries of webhooks, verified (Standard Webhooks 1.0).
 *
 * @phpstan-import-type Event from Types
 */
final class Webhooks
{
    public const TOLERANCE_SECONDS = 300;

    /**
     * The event of a delivery, if it was signed with the secret a moment ago. `$body` is what arrived, byte for byte
     * (`file_get_contents('php://input')`): JSON that was parsed and written again has another signature. Several secrets are those
     * before and after a rotation.
     *
     * @param array<string, string|list<string>> $headers of a PSR-7 request, of `getallheaders()`, or `$_SERVER`
     * @param string|list<string> $secret
     * @return Event
     * @throws LacreException `invalid_signature`, `stale_signature`
     */
    public static function verify(
        string $body,
        array $headers,
        string|array $secret,
        int $toleranceSeconds = self::TOLERANCE_SECONDS,
    ): array {
        $given = [];
        foreach ($headers as $name => $value) {
            $plain = preg_replace('/^http-/', '', strtolower(str_replace('_', '-', $name)));
            $given[$plain] = is_array($value) ? (string) ($value[0] ?? '') : (string) $value;
        }
        $moment = $given['webhook-timestamp'] ?? '';
        $signed = ($given['webhook-id'] ?? '') . ".{$moment}.{$body}";
        $signatures = explode(' ', $given['webhook-signature'] ?? '');
        foreach ((array) $secret as $each) {
            if (self::isSigned($each, $signed, $signatures)) {
                if (!ctype_digit($moment) || abs(time() - (int) $moment) > $toleranceSeconds) {
                    throw new LacreException('stale_signature', 'This was signed at another time than about now.');
                }
                return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
            }
        }
        throw new LacreException('invalid_signature', 'Nobody who knows the secret has signed this.');
    }

    /** @param list<string> $signatures */
    private static function isSigned(string $secret, string $signed, array $signatures): bool
    {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('the secret is not one of a webhook endpoint');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
        foreach ($signatures as $signature) {
            if (hash_equals($expected, $signature)) {
                return true;
            }
        }
        return false;
    }
}
