-- Whether the agency has suspended our access is asked before each envelope, and known by the chains that it stopped.
CREATE INDEX chain_dispatch_stopped ON chain_dispatch (chain_id) WHERE stopped_reason IS NOT NULL;
