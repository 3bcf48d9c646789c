/**
 * Words that say nothing of anybody: those of our own checks, and of what systems say when something fails. Words that are not here
 * may be names.
 */
export const TECHNICAL_WORDS: ReadonlySet<string> = new Set(
  `
aborted above absent accepted accepts access activity add address aeat after again age agency agency’s ago ahead all allowed also among an
and another answer answered answers any append applied are arrange as asked-for-by-doctor at attempts audit-log authentication authority
automatically available awaited away backup backup-and-restore bad base be because been before behind being body book books broken bucket
build busy but by bypass bytes calendar can canceling cannot cause causes certificate certificates chain chains change check checked
checkpoint checkpoints checks checksum cli client client-pool clients clock close closed column common companies company compare compared
comparison concern concurrent condition conf config configuration configured connection connections constraint contained contradicts
controls copy correct corrected could counter-jump covered covers create credentials crypto current data database databases day days db
deadlock declaration decrypt decrypted default delayed delete delivered denied deployment detected determine device directory disk disk-
space do docs doctor document documents does domain download downloaded due duplicate e-mail each email embedded encrypted encryption end
ended endpoints ends enlarge enqueue entries entry envelope environment environments error errors ever every exceeded exist exists expire
expired expiry export external failed failing fails failure failures fetch figures file files finally find finding findings firewalls first
fix folder font for force foreign forked found free from fs full gateway gauges generated getaddrinfo gets give goes graphile greylisted
ground guides had hand handshake hang hangs has have hba heartbeat held here history hold hold-entry holder holds host hour hours http https
id idle if in in-use incident included info input inside installation instead interim-answers internal inv invalid invoice invoices is issue
issued it its itself job jobs journal journals json keep keep-checkpoints kept key keys kind know label lacks lacre lag last later left let
lib libxml limit limits lineage list live localhost lock log logger long longer look lost lower machine machine’s made mailbox make managed
many many-at-once max may md means memory message metrics metrics-text migrate migrated migration-history migrations minutes mismatch
missing month more must name named need needed needs network never newer next no node none not nothing npm null number-series numbers object
object-store of off ok old older oldest on once one ones only open open-installation operating operations operator ops or org other
otherwise out outside own owner’s packages park parked parse parts passphrase password path pause paused pdf pending percent-encoded
permission pg policy pool pooler port postgres prefix prefixes prepare preproduction primary process processes producer production prom-
client promises promote property quarter queried queries queryable queue quota raise reachable reached read read-encrypted read-faults read-
from read-jobs read-lists read-location read-only read-places read-register read-views reads ready reason receives recipient record record-
xml records refusal refused refuses register register-books registered registration rejected relation relay remedies remove render rendered
renew replace replicates replication request requests require reset response restart restore restored result resume resume-after-restore
retry retry-failed right role roles rotate rotate-keys rows run running runs runtime same says schedule scheduled schema schemas seals
second seconds secret secrets see self-signed sender sending sent separate serialize series server server’s service service’s session
sessions set settings shapes signature signed silent simulator simulator’s since single-flight skip slots so soap socket software some space
spam spanish-nif sslmode sslrootcert standby start starting starts startup stat state statement status still stopped stopping store stored
string subjects successor such switch synchronize syntax take taken task tax-ids template temporary terminated tests than that the their
them then there these they this those through time timed timeout timers to together token told too took transaction transport tried trouble
troubled try ts two unavailable uncovered undefined under unexpected unexpectedly unique unknown unpark unreachable unsound untold
unverified up update updated upgrade upgrading upload uploaded usable use used user uses valid value vault verifactu verification
verifications verified verify version violates void wait waited waiting waits wants warning was wasm way webhooks were what when whether
which while who whom whose with within without work worker workers write write-state writes www xmldsig-core xmldsig-core-schema xmlsoap xsd
year yet
`.split(/\s+/),
);
