-- compatible
-- What each process announces of the secrets that it knows: marks, from which they cannot be found out.
ALTER TABLE service_process ADD COLUMN known_secrets TEXT[] DEFAULT ARRAY[]::TEXT[];
