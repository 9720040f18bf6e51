-- The total of push subscriptions, kept beside every insert and delete as in 0001.
CREATE TRIGGER push_subscriptions_total_up AFTER INSERT ON push_subscriptions BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'push_subscriptions', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER push_subscriptions_total_down AFTER DELETE ON push_subscriptions BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'push_subscriptions';
END;
