-- The body of the governed record that is in force under a key.
create function body_in_force(workspace text, environment text, kind text, key text) returns jsonb
  language sql stable
as $$
        select g.body from governed_record g where g.state = 'active'
          and (g.workspace_uid, g.environment, g.kind, g.key) = ($1, $2, $3, $4)
      $$;
