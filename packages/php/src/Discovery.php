<?php

declare(strict_types=1);

namespace Lacre;

use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/**
 * What is installed of PSR-18 and PSR-17, where none is passed in.
 *
 * @internal
 */
final class Discovery
{
    private const CLIENTS = [
        'GuzzleHttp\Client',
        'Symfony\Component\HttpClient\Psr18Client',
        'Http\Client\Curl\Client',
    ];
    private const FACTORIES = [
        'GuzzleHttp\Psr7\HttpFactory',
        'Nyholm\Psr7\Factory\Psr17Factory',
        'Slim\Psr7\Factory\RequestFactory',
        'Laminas\Diactoros\RequestFactory',
    ];
    private const STREAM_FACTORIES = [
        'GuzzleHttp\Psr7\HttpFactory',
        'Nyholm\Psr7\Factory\Psr17Factory',
        'Slim\Psr7\Factory\StreamFactory',
        'Laminas\Diactoros\StreamFactory',
    ];

    /** A client that gives up a try after so many seconds, where that can be set. */
    public static function client(float $timeout): ClientInterface
    {
        $class = self::installed(self::CLIENTS, ClientInterface::class, 'PSR-18');
        return match ($class) {
            'GuzzleHttp\Client' => new $class(['timeout' => $timeout, 'http_errors' => false]),
            'Symfony\Component\HttpClient\Psr18Client' => (new $class())->withOptions(['max_duration' => $timeout]),
            default => new $class(),
        };
    }

    public static function requests(): RequestFactoryInterface
    {
        return new (self::installed(self::FACTORIES, RequestFactoryInterface::class, 'PSR-17'))();
    }

    public static function streams(): StreamFactoryInterface
    {
        return new (self::installed(self::STREAM_FACTORIES, StreamFactoryInterface::class, 'PSR-17'))();
    }

    /**
     * @param list<string> $classes
     * @return class-string
     */
    private static function installed(array $classes, string $interface, string $standard): string
    {
        foreach ($classes as $class) {
            if (class_exists($class) && is_subclass_of($class, $interface)) {
                return $class;
            }
        }
        throw new \LogicException("No implementation of {$standard} is known here: install guzzlehttp/guzzle, or pass one in.");
    }
}
