<?php

declare(strict_types=1);

namespace Lacre;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;

/** The service, with a key of one environment (`sk_test_…`, `sk_live_…`) or an access token. */
final class Lacre extends Operations
{
    /** A longer wait than this is not taken, also where the service requests one: the error is thrown, with `$retryAfter`. */
    private const LONGEST_WAIT = 60.0;

    private readonly string $baseUrl;
    private readonly ClientInterface $http;
    private readonly RequestFactoryInterface $requests;
    private readonly StreamFactoryInterface $streams;

    /**
     * `$baseUrl` is where the service is, without `/v1`. A request is made again at most `$maxRetries` times, after `$firstRetry`
     * seconds, then twice as long each time, or when the service says so. `$timeout` is how many seconds one try may take; a client of
     * your own (PSR-18) has its own. What is not passed in is looked for among what is installed.
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter]
        private readonly string $key,
        private readonly int $maxRetries = 4,
        private readonly float $firstRetry = 1.0,
        float $timeout = 60.0,
        ?ClientInterface $http = null,
        ?RequestFactoryInterface $requests = null,
        ?StreamFactoryInterface $streams = null,
    ) {
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->http = $http ?? Discovery::client($timeout);
        $this->requests = $requests ?? Discovery::requests();
        $this->streams = $streams ?? Discovery::streams();
    }

    protected function call(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        array $headers = [],
        bool $keyed = false,
    ): string {
        $url = $this->baseUrl . $path . self::search($query);
        $sent = array_filter($headers, static fn (?string $value): bool => $value !== null);
        if ($keyed) {
            $sent['idempotency-key'] ??= self::uuid();
        }
        $safe = $keyed || $method !== 'POST' || str_ends_with($path, '/validate');
        // Whether an earlier try may have done it without our hearing so.
        $unknown = false;
        for ($retry = 0; ; $retry++) {
            $answer = $this->once($method, $url, $body, $sent);
            if (is_string($answer)) {
                return $answer;
            }
            if ($unknown && $method === 'DELETE' && $answer->status === 404) {
                return '';
            }
            $wait = $answer->retryAfter ?? $this->firstRetry * 2 ** $retry;
            if ($retry >= $this->maxRetries || $wait > self::LONGEST_WAIT || !self::mayRepeat($answer, $safe, $unknown)) {
                throw $answer;
            }
            $unknown = $unknown || in_array($answer->errorCode, ['no_answer', 'unreadable_answer'], true);
            usleep((int) ($wait * (1 + random_int(0, 250) / 1_000) * 1_000_000));
        }
    }

    /**
     * One try: the body of an answer of success, read whole, so that a connection that breaks within it is tried again too.
     *
     * @param ?array<mixed> $body
     * @param array<string, string> $headers
     */
    private function once(string $method, string $url, ?array $body, array $headers): string|LacreException
    {
        $request = $this->requests->createRequest($method, $url)->withHeader('authorization', "Bearer {$this->key}");
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        if ($body !== null) {
            // An empty array would be a list.
            $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;
            $json = json_encode($body === [] ? new \stdClass() : $body, $flags);
            $request = $request->withHeader('content-type', 'application/json')->withBody($this->streams->createStream($json));
        }
        try {
            $answer = $this->http->sendRequest($request);
            return self::isSuccess($answer) ? (string) $answer->getBody() : LacreException::of($answer);
        } catch (ClientExceptionInterface | \RuntimeException $cause) {
            return new LacreException('no_answer', 'There was no answer.', previous: $cause);
        }
    }

    private static function isSuccess(ResponseInterface $answer): bool
    {
        return $answer->getStatusCode() >= 200 && $answer->getStatusCode() < 300;
    }

    /**
     * Whether the same may be sent once more. `$safe`: doing it twice is doing it once. What the service itself answers with 429 or 5xx
     * it has not done, so that may be repeated always; what nobody answered, or a proxy, only when it is safe.
     */
    private static function mayRepeat(LacreException $error, bool $safe, bool $unknown): bool
    {
        return match ($error->errorCode) {
            'no_answer' => $safe,
            'unreadable_answer' => $safe && $error->status >= 500,
            // The first try is still running, or was: its answer is kept for us.
            'idempotency_conflict' => $unknown,
            default => $error->status === 429 || $error->status >= 500,
        };
    }

    /**
     * Lists are repeated, maps are `name[key]`.
     *
     * @param array<string, mixed> $query
     */
    private static function search(array $query): string
    {
        $pairs = [];
        foreach ($query as $name => $value) {
            if (is_array($value)) {
                foreach ($value as $key => $each) {
                    $pairs[] = self::pair(array_is_list($value) ? $name : "{$name}[{$key}]", $each);
                }
            } elseif ($value !== null) {
                $pairs[] = self::pair($name, $value);
            }
        }
        return $pairs === [] ? '' : '?' . implode('&', $pairs);
    }

    private static function pair(string $name, string|int|float|bool $value): string
    {
        $text = is_bool($value) ? ($value ? 'true' : 'false') : (string) $value;
        return rawurlencode($name) . '=' . rawurlencode($text);
    }

    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr((ord($bytes[6]) & 0x0f) | 0x40);
        $bytes[8] = chr((ord($bytes[8]) & 0x3f) | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
