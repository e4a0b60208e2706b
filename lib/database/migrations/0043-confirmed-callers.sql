-- Ends a transaction that was begun for a caller whose admission has changed.
create function caller_changed() returns boolean
  language plpgsql
as $$
      begin
        raise exception using errcode = 'invalid_authorization_specification',
          message = 'the admission of the caller has changed';
      end $$;
