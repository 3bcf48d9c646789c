-- compatible
-- What issuing needs of an environment: its open chain and the series that are the defaults. Callers are read with it by one statement,
-- which looks in tables that every server has, where environments are divided among several; this looks where the environment is, in one
-- table at a time: such statements Citus plans once.
CREATE FUNCTION issuing_scope(
  environment integer, OUT chain_id integer, OUT installation_number text, OUT issuing_ended boolean,
  OUT standard_id text, OUT standard_prefix text, OUT standard_yearly boolean,
  OUT rectifying_id text, OUT rectifying_prefix text, OUT rectifying_yearly boolean
) LANGUAGE plpgsql STABLE AS $$
DECLARE
  of_type record;
  defaults text[];
BEGIN
  SELECT chain.id, chain.installation_number, chain.issuing_ended_at IS NOT NULL INTO chain_id, installation_number, issuing_ended
    FROM chain WHERE environment_id = environment AND closed_at IS NULL;
  SELECT array_agg(series_id) INTO defaults FROM series_default WHERE environment_id = environment;
  FOR of_type IN SELECT id, prefix, yearly, type FROM number_series WHERE environment_id = environment AND id = ANY (defaults) LOOP
    IF of_type.type = 'standard' THEN
      standard_id := of_type.id;
      standard_prefix := of_type.prefix;
      standard_yearly := of_type.yearly;
    ELSE
      rectifying_id := of_type.id;
      rectifying_prefix := of_type.prefix;
      rectifying_yearly := of_type.yearly;
    END IF;
  END LOOP;
END $$;
