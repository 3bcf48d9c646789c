<?php

declare(strict_types=1);

namespace Lacre;

use Psr\Http\Message\ResponseInterface;

/**
 * Whatever is refused or fails. Branch on `$errorCode`: one of the service's (`/docs/errors`), or found out here: `no_answer` (whether
 * it was done is not known), `unreadable_answer` (a proxy has answered, or another service), `invalid_signature`, `stale_signature`.
 *
 * @phpstan-import-type FieldIssue from Types
 */
final class LacreException extends \RuntimeException
{
    /**
     * @param int $status the HTTP status; 0 where there was none
     * @param list<FieldIssue> $errors the fields that are at fault, where some are
     * @param ?string $requestId by which the service's logs know the request
     * @param ?int $retryAfter seconds after which the same may be tried again, where the service has stated it
     */
    public function __construct(
        public readonly string $errorCode,
        string $detail,
        public readonly int $status = 0,
        public readonly array $errors = [],
        public readonly ?string $docUrl = null,
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfter = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($detail, 0, $previous);
    }

    /** The error that an answer of another status than 2xx is. */
    public static function of(ResponseInterface $answer): self
    {
        $status = $answer->getStatusCode();
        $requestId = $answer->getHeaderLine('x-request-id') ?: null;
        $retryAfter = self::seconds($answer->getHeaderLine('retry-after'));
        $body = json_decode((string) $answer->getBody(), true);
        if (!is_array($body) || !is_string($body['code'] ?? null) || !is_array($body['errors'] ?? null)) {
            $detail = "The answer was {$status}.";
            return new self('unreadable_answer', $detail, $status, requestId: $requestId, retryAfter: $retryAfter);
        }
        return new self(
            $body['code'],
            (string) ($body['detail'] ?? ''),
            $status,
            $body['errors'],
            $body['doc_url'] ?? null,
            $requestId,
            $retryAfter,
        );
    }

    /** `Retry-After` is in seconds or a date. */
    private static function seconds(string $text): ?int
    {
        if (ctype_digit($text)) {
            return (int) $text;
        }
        $at = $text === '' ? false : strtotime($text);
        return $at === false ? null : max(0, $at - time());
    }
}
