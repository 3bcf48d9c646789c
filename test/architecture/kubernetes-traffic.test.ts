import { describe, expect, test } from 'vitest';
import { type Peer, type Resource, readManifests } from './manifests.ts';

/** Who reaches whom in the cluster: no cluster runs here, so that it is read from the manifests. */

const { all, pods } = readManifests();
const policies = all.filter(({ kind }) => kind === 'NetworkPolicy');

const selectedBy = (labels: Record<string, string> = {}) =>
  pods.filter(({ spec }) =>
    Object.entries(labels).every(([name, value]) => spec.template.metadata.labels[name] === value),
  );
const portsOf = (selected: readonly Resource[]) =>
  selected.flatMap(({ spec }) => spec.template.spec.containers[0]!.ports ?? []);

test('every selector selects pods that there are', () => {
  const selectors = all.flatMap(({ kind, spec }) => [
    ...(spec?.selector?.matchLabels === undefined ? [] : [spec.selector.matchLabels]),
    ...(spec?.podSelector?.matchLabels === undefined ? [] : [spec.podSelector.matchLabels]),
    ...(kind === 'Service' ? [spec.selector as unknown as Record<string, string>] : []),
  ]);
  expect(selectors.length).toBeGreaterThan(8);
  for (const selector of selectors) expect(selectedBy(selector), JSON.stringify(selector)).not.toEqual([]);
});

test('the ingress leads to a service, and each service to a port of its pods', () => {
  const services = all.filter(({ kind }) => kind === 'Service');
  for (const { metadata, spec } of services) {
    const open = portsOf(selectedBy(spec.selector as unknown as Record<string, string>));
    for (const { targetPort } of spec.ports!)
      expect(
        open.map(({ name }) => name),
        metadata.name,
      ).toContain(targetPort);
  }
  const [ingress] = all.filter(({ kind }) => kind === 'Ingress');
  const { backend } = ingress!.spec.rules![0]!.http.paths[0]!;
  const target = services.find(({ metadata }) => metadata.name === backend.service.name);
  expect(target!.spec.ports!.map(({ name }) => ({ name }))).toContainEqual(backend.service.port);
});

describe('the network policies', () => {
  test('deny all traffic that none of them names', () => {
    const denied = policies.filter(
      ({ spec: { podSelector, ingress, egress } }) =>
        Object.keys(podSelector!).length === 0 && ingress === undefined && egress === undefined,
    );
    expect(denied.map(({ spec }) => spec.policyTypes)).toEqual([['Ingress', 'Egress']]);
  });

  test('name who comes in and where one goes out, each by ports that there are', () => {
    const rules = policies.flatMap(({ metadata, spec }) => [
      ...(spec.ingress ?? []).map(({ from, ports }) => ({
        metadata,
        peers: from,
        ports,
        within: selectedBy(spec.podSelector?.matchLabels),
      })),
      ...(spec.egress ?? []).map(({ to, ports }) => ({ metadata, peers: to, ports, within: null })),
    ]);
    expect(rules.length).toBeGreaterThan(5);
    for (const { metadata, peers = [], ports = [], within } of rules) {
      // Without peers a rule lets in everybody, and without ports it opens all of them.
      expect(peers, metadata.name).not.toEqual([]);
      expect(ports, metadata.name).not.toEqual([]);
      for (const peer of peers) {
        const open =
          within ??
          (peer.podSelector === undefined || peer.namespaceSelector !== undefined
            ? null
            : selectedBy(peer.podSelector.matchLabels));
        if (open === null) continue;
        const known = portsOf(open).flatMap(({ name, containerPort }) => [name, containerPort]);
        for (const { port } of ports) expect(known, metadata.name).toContain(port);
      }
    }
  });

  test('let nobody out to the addresses that a cloud keeps for itself', () => {
    const blocks = policies
      .flatMap(({ spec }) => spec.egress ?? [])
      .flatMap(({ to = [] }) => to)
      .flatMap(({ ipBlock }: Peer) => ipBlock ?? []);
    expect(blocks).toEqual([{ cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] }]);
  });
});
