//! JSON Schema, draft 2020-12, of results.

use serde_json::{Map, Value, json};

use super::shape::{Field, Shape, Shaped};

/// JSON Schema of a type such as [`Summary`](super::Summary). The keyword `unit` has the base unit
/// of a number.
pub fn json_schema<T: Shaped>(title: &str) -> Value {
    let mut schema = schema_of(T::SHAPE);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!(title);
    schema
}

fn schema_of(shape: Shape) -> Value {
    match shape {
        Shape::Number => json!({"type": "number"}),
        Shape::Word => json!({"type": "string"}),
        Shape::Flag => json!({"type": "boolean"}),
        Shape::Table(fields) => table(fields),
        Shape::Named(_, inside) => {
            json!({"type": "object", "additionalProperties": schema_of(*inside)})
        }
        Shape::List(inside) => json!({"type": "array", "items": schema_of(*inside)}),
        Shape::Pair => {
            json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})
        }
        Shape::Maybe(inside) => json!({"anyOf": [schema_of(*inside), {"type": "null"}]}),
    }
}

fn table(fields: &[Field]) -> Value {
    let property = |field: &Field| {
        let mut schema = schema_of(field.shape);
        schema["description"] = json!(field.meaning);
        if let Some(unit) = field.unit {
            schema["unit"] = json!(unit);
        }
        (field.name.to_owned(), schema)
    };
    let always = fields.iter().filter(|field| !field.may_lack);
    json!({
        "type": "object",
        "properties": fields.iter().map(property).collect::<Map<_, _>>(),
        "required": always.map(|field| field.name).collect::<Vec<_>>(),
        "additionalProperties": false,
    })
}
