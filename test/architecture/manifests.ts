import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** The manifests of Kubernetes, as far as tests look at them. */

export const KUBERNETES = join(import.meta.dirname, '../../deploy/kubernetes');

type Probe = {
  httpGet?: { path: string; port: string };
  tcpSocket?: { port: string };
  periodSeconds: number;
  failureThreshold: number;
};
type Container = {
  name: string;
  image: string;
  command?: string[];
  env?: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: object;
  resources: { requests: { memory: string }; limits: { memory: string } };
  volumeMounts: { name: string; mountPath: string }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
};
type Pod = {
  containers: Container[];
  volumes: { name: string; secret?: { secretName: string; defaultMode?: number } }[];
  securityContext: object;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
};
type Labels = Record<string, string>;
export type Peer = {
  namespaceSelector?: object;
  podSelector?: { matchLabels: Labels };
  ipBlock?: { cidr: string; except?: string[] };
};
type Port = { port: string | number };
type Backend = { service: { name: string; port: { name: string } } };
export type Resource = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    template: { metadata: { labels: Labels }; spec: Pod };
    selector?: { matchLabels: Labels };
    podSelector?: { matchLabels?: Labels };
    policyTypes?: string[];
    ingress?: { from?: Peer[]; ports?: Port[] }[];
    egress?: { to?: Peer[]; ports?: Port[] }[];
    ports?: { name: string; targetPort: string }[];
    rules?: { http: { paths: { backend: Backend }[] } }[];
    updateStrategy?: object;
    volumeClaimTemplates?: { metadata: { name: string } }[];
    minAvailable?: number;
    replicas?: number;
  };
};

/** All that is named in the kustomization, read as Kubernetes reads it: 0440 is octal. */
export function readManifests() {
  const read = (file: string) => readFileSync(join(KUBERNETES, file), 'utf8');
  const kustomization = parse(read('kustomization.yaml')) as {
    resources: string[];
    images: { name: string; digest: string }[];
  };
  const all = kustomization.resources.flatMap((file) =>
    parseAllDocuments(read(file), { version: '1.1' }).map((document) => document.toJS() as Resource),
  );
  return { kustomization, all, pods: all.filter(({ spec }) => spec?.template !== undefined) };
}
