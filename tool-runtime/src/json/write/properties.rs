use super::*;
use crate::json::JsonValue;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn text<T: Serialize + ?Sized>(value: &T) -> String {
    write(value).unwrap_or_else(|error| panic!("{error}")).as_str().to_owned()
}

fn json_value() -> impl Strategy<Value = JsonValue> {
    let number = prop_oneof![
        any::<i64>().prop_map(JsonValue::from),
        any::<u64>().prop_map(JsonValue::from),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(JsonValue::from),
    ];
    let leaf = prop_oneof![
        Just(JsonValue::Null),
        any::<bool>().prop_map(JsonValue::from),
        number,
        any::<String>().prop_map(JsonValue::from),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(JsonValue::from),
            prop::collection::hash_map(any::<String>(), inner, 0..8)
                .prop_map(|entries| JsonValue::Object(entries.into_iter().collect())),
        ]
    })
}

fn sorted(mut value: JsonValue) -> JsonValue {
    value.sort_all_objects();
    value
}

proptest! {
    #[test]
    fn is_what_serde_json_writes_for_sorted_maps(value in json_value()) {
        prop_assert_eq!(text(&value), serde_json::to_string(&sorted(value)).unwrap());
    }

    #[test]
    fn comes_back_the_same(value in json_value()) {
        let written = write(&value).unwrap();
        prop_assert_eq!(written.to_value().to_string(), sorted(value).to_string());
        prop_assert_eq!(write(&written.to_value()).unwrap(), written.clone());
        prop_assert_eq!(text(&written), written.as_str());
    }

    #[test]
    fn floats_are_those_of_serde_json(double in any::<f64>(), single in any::<f32>()) {
        prop_assume!(double.is_finite() && single.is_finite());
        prop_assert_eq!(text(&double), serde_json::to_string(&double).unwrap());
        prop_assert_eq!(text(&single), serde_json::to_string(&single).unwrap());
    }

    #[test]
    fn the_order_of_a_hash_map_does_not_show(map in prop::collection::hash_map(any::<String>(), any::<u8>(), 0..20)) {
        let ordered: BTreeMap<_, _> = map.iter().collect();
        prop_assert_eq!(text(&map), serde_json::to_string(&ordered).unwrap());
    }
}
